package io.spyhop.client.internal.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class StoredOperationsTest {
  private static final BucketKeys KEYS = BucketOptions.usual().withBits(8).keys();
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] STORED = KEYS.stored(ROW);
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ONE = Bytes.toBytes(1L);

  private final StoredOperations operations = new StoredOperations(KEYS);

  @Test
  void aGetHasAllButTheRow() throws IOException {
    Get get =
        new Get(ROW)
            .addColumn(D, Q)
            .addFamily(Bytes.toBytes("e"))
            .setTimeRange(3, 9)
            .setColumnFamilyTimeRange(D, 4, 8)
            .readVersions(5)
            .setMaxResultsPerColumnFamily(7)
            .setRowOffsetPerColumnFamily(2)
            .setFilter(new KeyOnlyFilter())
            .setCacheBlocks(false)
            .setCheckExistenceOnly(true)
            .setLoadColumnFamiliesOnDemand(true)
            .setAttribute("a", ONE)
            .setPriority(11);
    Get stored = operations.of(get);
    assertThat(stored.getRow()).isEqualTo(STORED);
    assertThat(stored.toMap())
        .usingRecursiveComparison()
        .ignoringFields("row")
        .isEqualTo(get.toMap());
    assertThat(stored.getFamilyMap()).isEqualTo(get.getFamilyMap());
    assertThat(stored.getTimeRange()).hasToString(get.getTimeRange().toString());
    assertThat(stored.getColumnFamilyTimeRange().get(D))
        .hasToString(new TimeRangeText(4, 8).text());
    assertThat(stored.getMaxVersions()).isEqualTo(5);
    assertThat(stored.getMaxResultsPerColumnFamily()).isEqualTo(7);
    assertThat(stored.getRowOffsetPerColumnFamily()).isEqualTo(2);
    assertThat(stored.getFilter()).isSameAs(get.getFilter());
    assertThat(stored.getCacheBlocks()).isFalse();
    assertThat(stored.isCheckExistenceOnly()).isTrue();
    assertThat(stored.getAttribute("a")).isEqualTo(ONE);
    assertThat(stored.getAttribute(Attributes.BUCKETS))
        .asString()
        .isEqualTo("8 bits of murmur3_32:1");
    assertThat(stored.getPriority()).isEqualTo(11);
    assertThat(get.getRow()).as("of the original").isEqualTo(ROW);
  }

  private record TimeRangeText(long min, long max) {
    String text() {
      return TimeRange.between(min, max).toString();
    }
  }

  @Test
  void mutationsHaveAllButTheRow() throws IOException {
    Put put = new Put(ROW, 5).addColumn(D, Q, ONE).addColumn(D, Q, 7, ONE);
    put.setTTL(99).setDurability(Durability.SKIP_WAL).setAttribute("a", ONE).setPriority(3);
    Mutation stored = operations.of(put);
    assertThat(stored).isInstanceOf(Put.class);
    requireSame(put, stored);
    assertThat(stored.getTTL()).isEqualTo(99);
    requireSame(new Delete(ROW, 6), operations.of(new Delete(ROW, 6)));
    Delete delete = new Delete(ROW).addColumn(D, Q, 4).addColumns(D, Q, 5).addFamily(D, 6);
    delete.addFamilyVersion(D, 7);
    requireSame(delete, operations.of(delete));
    Increment increment = new Increment(ROW).addColumn(D, Q, 4).setTimeRange(2, 8);
    increment.setReturnResults(false);
    requireSame(increment, operations.of(increment));
    assertThat(((Increment) operations.of(increment)).getTimeRange())
        .hasToString(increment.getTimeRange().toString());
    assertThat(((Increment) operations.of(increment)).isReturnResults()).isFalse();
    Append append = new Append(ROW).addColumn(D, Q, ONE).setTimeRange(2, 8);
    requireSame(append, operations.of(append));
  }

  private static void requireSame(Mutation original, Mutation stored) {
    assertThat(original.getRow()).as("of the original").isEqualTo(ROW);
    assertThat(stored.getClass()).isEqualTo(original.getClass());
    assertThat(stored.getRow()).isEqualTo(STORED);
    assertThat(stored.getTimestamp()).isEqualTo(original.getTimestamp());
    assertThat(stored.getDurability()).isEqualTo(original.getDurability());
    assertThat(stored.getPriority()).isEqualTo(original.getPriority());
    Map<String, byte[]> attributes = new HashMap<>(original.getAttributesMap());
    attributes.put(Attributes.BUCKETS, stored.getAttribute(Attributes.BUCKETS));
    assertThat(stored.getAttributesMap()).isEqualTo(attributes);
    assertThat(stored.getAttribute(Attributes.BUCKETS))
        .asString()
        .isEqualTo("8 bits of murmur3_32:1");
    assertThat(stored.getFamilyCellMap().keySet())
        .containsExactlyElementsOf(original.getFamilyCellMap().keySet());
    original
        .getFamilyCellMap()
        .forEach(
            (family, cells) -> {
              List<Cell> moved = stored.getFamilyCellMap().get(family);
              assertThat(moved).hasSameSizeAs(cells);
              for (int i = 0; i < moved.size(); i++) {
                assertThat(CellUtil.cloneRow(moved.get(i))).isEqualTo(STORED);
                assertThat(new UserCell(moved.get(i))).isEqualTo(cells.get(i));
                assertThat(CellUtil.matchingValue(moved.get(i), cells.get(i))).isTrue();
              }
            });
  }

  @Test
  void severalChangesAndConditionsGoAlong() throws IOException {
    RowMutations both =
        RowMutations.of(
            List.of(new Put(ROW).addColumn(D, Q, ONE), new Delete(ROW).addColumns(D, Q)));
    RowMutations stored = operations.of(both);
    assertThat(stored.getRow()).isEqualTo(STORED);
    assertThat(stored.getMutations()).hasSize(2).allMatch(m -> Bytes.equals(m.getRow(), STORED));

    CheckAndMutate check =
        CheckAndMutate.newBuilder(ROW)
            .ifMatches(D, Q, CompareOperator.LESS, ONE)
            .timeRange(TimeRange.between(1, 5))
            .build(both);
    CheckAndMutate storedCheck = operations.of(check);
    assertThat(storedCheck.getRow()).isEqualTo(STORED);
    assertThat(storedCheck.getCompareOp()).isEqualTo(CompareOperator.LESS);
    assertThat(storedCheck.getValue()).isEqualTo(ONE);
    assertThat(storedCheck.getTimeRange()).isEqualTo(check.getTimeRange());
    assertThat(storedCheck.getAction().getRow()).isEqualTo(STORED);

    CheckAndMutate absent =
        CheckAndMutate.newBuilder(ROW).ifNotExists(D, Q).build(new Put(ROW).addColumn(D, Q, ONE));
    assertThat(operations.of(absent).getValue()).isNull();
    assertThat(operations.of(absent).getAction()).isInstanceOf(Put.class);
  }

  @Test
  void aFilterThatLooksAtTheRowIsRefused() {
    RowFilter filter = new RowFilter(CompareOperator.EQUAL, new BinaryComparator(ROW));
    assertThatThrownBy(() -> operations.of(new Get(ROW).setFilter(filter)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("RowFilter would see stored rows");
  }

  @Test
  void resultsHaveTheUsersRow() throws IOException {
    Put put = new Put(STORED, 5).addColumn(D, Q, ONE);
    Result result = UserRows.of(Result.create(put.getFamilyCellMap().get(D)));
    assertThat(result.getRow()).isEqualTo(ROW);
    assertThat(result.getValue(D, Q)).isEqualTo(ONE);
    assertThat(result.rawCells()[0])
        .hasToString(
            put.getFamilyCellMap()
                .get(D)
                .get(0)
                .toString()
                .replace(Bytes.toStringBinary(STORED), "row"));
    assertThat(UserRows.of(Result.EMPTY_RESULT).isEmpty()).isTrue();
    Put strange = new Put(new byte[] {1}, 5).addColumn(D, Q, ONE);
    Result foreign = Result.create(strange.getFamilyCellMap().get(D));
    assertThatThrownBy(() -> UserRows.of(foreign))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("\\x01 has no key behind the prefix");
  }
}
