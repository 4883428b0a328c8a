package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Merged streams against all of their rows, sorted. */
class MergedRowsTest {
  /** Few different bytes: keys begin alike, are one another's beginnings, and end in zeros. */
  private static final byte[] BYTES = {0, 1, 'a', (byte) 0x80, (byte) 0xFF};

  @Property
  void allRowsInTheirOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 70) int runs,
      @ForAll @IntRange(max = 400) int keys,
      @ForAll @IntRange(min = 1, max = 12) int longest,
      @ForAll boolean descending)
      throws IOException {
    Random random = new Random(seed);
    TreeSet<byte[]> all =
        new TreeSet<>(descending ? Bytes.BYTES_COMPARATOR.reversed() : Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < keys; i++) {
      all.add(key(random, longest));
    }
    List<List<Result>> streams = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      streams.add(new ArrayList<>());
    }
    List<Result> expected = new ArrayList<>();
    for (byte[] key : all) {
      List<Result> stream = streams.get(random.nextInt(runs));
      for (int parts = random.nextInt(8) == 0 ? 3 : 1; parts > 0; parts--) {
        Result row = row(key, random);
        stream.add(row);
        expected.add(row);
      }
    }
    try (RowStream merged =
        MergedRows.of(streams.stream().map(RowStream::of).toList(), descending)) {
      for (Result row : expected) {
        assertThat(merged.next()).isSameAs(row);
      }
      assertThat(merged.next()).isNull();
      assertThat(merged.next()).isNull();
    }
  }

  /** A run that counts what it has handed out and its reader has not let go of. */
  private static final class Source implements MergedRows.Run {
    private final List<Result> rows;
    private final boolean descending;
    private int opened;
    private int open;

    Source(List<Result> rows, boolean descending) {
      this.rows = rows;
      this.descending = descending;
    }

    @Override
    public RowStream open(byte[] from) {
      opened++;
      open++;
      RowStream left =
          RowStream.of(rows.stream().filter(r -> from == null || !isBefore(r, from)).toList());
      return new RowStream() {
        @Override
        public Result next() throws IOException {
          return left.next();
        }

        @Override
        public void close() {
          open--;
        }
      };
    }

    private boolean isBefore(Result row, byte[] from) {
      int c = Bytes.compareTo(row.getRow(), from);
      return descending ? c > 0 : c < 0;
    }
  }

  /** With room for a few rows: the same rows and order, and few runs are open. */
  @Property(tries = 200)
  void wideRowsAreReadAgain(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 70) int runs,
      @ForAll @IntRange(max = 300) int keys,
      @ForAll boolean descending)
      throws IOException {
    Random random = new Random(seed);
    TreeSet<byte[]> all =
        new TreeSet<>(descending ? Bytes.BYTES_COMPARATOR.reversed() : Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < keys; i++) {
      all.add(key(random, 6));
    }
    List<List<Result>> rows = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      rows.add(new ArrayList<>());
    }
    List<Result> expected = new ArrayList<>();
    long widest = 0;
    for (byte[] key : all) {
      List<Result> run = rows.get(random.nextInt(runs));
      for (int parts = random.nextInt(8) == 0 ? 3 : 1; parts > 0; parts--) {
        Result row = row(key, random);
        run.add(row);
        expected.add(row);
        widest = Math.max(widest, Result.getTotalSizeOfCells(row));
      }
    }
    int room = 1 + random.nextInt(3);
    List<Source> sources = rows.stream().map(r -> new Source(r, descending)).toList();
    try (RowStream merged =
        new MergedRows(sources, descending, new MergedRows.Room(room * widest, 0))) {
      for (Result row : expected) {
        assertThat(merged.next()).isSameAs(row);
        long open = sources.stream().filter(s -> s.open > 0).count();
        // Rows take half of the widest at least; the one that is handed out is not counted.
        assertThat(open).isLessThanOrEqualTo(2L * room + 1);
      }
      assertThat(merged.next()).isNull();
    }
    assertThat(sources).allMatch(s -> s.open == 0 && s.opened <= 2 + 2 * s.rows.size());
  }

  private static byte[] key(Random random, int longest) {
    byte[] key = new byte[1 + random.nextInt(longest)];
    for (int i = 0; i < key.length; i++) {
      key[i] = BYTES[random.nextInt(BYTES.length)];
    }
    return key;
  }

  /** A row whose key is somewhere in an array. */
  private static Result row(byte[] key, Random random) {
    int before = random.nextInt(3);
    byte[] array = new byte[before + key.length + random.nextInt(3)];
    Arrays.fill(array, (byte) random.nextInt());
    System.arraycopy(key, 0, array, before, key.length);
    Cell cell =
        ExtendedCellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
            .setRow(array, before, key.length)
            .setFamily(Bytes.toBytes("f"))
            .setQualifier(Bytes.toBytes("q"))
            .setType(Cell.Type.Put)
            .setTimestamp(1)
            .setValue(Bytes.toBytes("v"))
            .build();
    return Result.create(List.of(cell));
  }
}
