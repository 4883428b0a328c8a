package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rows are put in order: sorted, or merged from streams that are. */
class SortedRowsTest {
  private int closed;
  private int handedOut;

  private RowStream stream(List<String> keys) {
    Iterator<String> each = keys.iterator();
    return new RowStream() {
      @Override
      public Result next() {
        handedOut += each.hasNext() ? 1 : 0;
        return each.hasNext() ? FakeSources.row(each.next()) : null;
      }

      @Override
      public void close() {
        closed++;
      }
    };
  }

  private static List<String> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> String.format("row%04d", i)).toList();
  }

  private static List<String> shuffled(int count) {
    List<String> keys = new ArrayList<>(keys(count));
    Collections.shuffle(keys, new Random(3));
    return keys;
  }

  private static List<String> drain(RowStream rows) throws IOException {
    List<String> keys = new ArrayList<>();
    for (Result row = rows.next(); row != null; row = rows.next()) {
      keys.add(Bytes.toString(row.getRow()));
    }
    return keys;
  }

  private RowStream sorted(List<String> unsorted, long rows, long bytes) {
    return new SortedRows(
        stream(unsorted),
        new SortedRows.Limits(rows, bytes),
        MergedRows.BY_ROW,
        () -> stream(List.of("otherwise")));
  }

  @Test
  void rowsAreSorted() throws IOException {
    RowStream rows = sorted(shuffled(500), Long.MAX_VALUE, 1 << 20);
    assertThat(handedOut).as("before the first row is asked for").isZero();
    assertThat(drain(rows)).isEqualTo(keys(500));
    rows.close();
    assertThat(closed).isEqualTo(1);
    assertThat(rows.next()).isNull();
  }

  /** However many there are, the first few fit where few do. */
  @Test
  void theFirstRowsAreKept() throws IOException {
    long few = 8 * Result.getTotalSizeOfCells(FakeSources.row("row0000"));
    assertThat(drain(sorted(shuffled(2_000), 3, few))).isEqualTo(keys(3));
    assertThat(drain(sorted(shuffled(2_000), 1, 2 * few))).isEqualTo(keys(1));
  }

  @Test
  void whatDoesNotFitIsReadOtherwise() throws IOException {
    RowStream rows = sorted(shuffled(2_000), Long.MAX_VALUE, 1_000);
    assertThat(drain(rows)).containsExactly("otherwise");
    assertThat(closed).as("the stream that was given up").isEqualTo(1);
    assertThat(handedOut).isLessThan(50);
    rows.close();
    assertThat(closed).isEqualTo(3);
  }

  @Test
  void theBoundIsASetting() {
    Configuration conf = new Configuration(false);
    assertThat(SortedRows.Limits.of(conf, 5).bytes()).isBetween(1L << 20, 16L << 20);
    conf.setLong(SortedRows.BYTES, 77);
    assertThat(SortedRows.Limits.of(conf, 5)).isEqualTo(new SortedRows.Limits(5, 77));
    conf.set(SortedRows.BYTES, "-1");
    assertThat(SortedRows.Limits.of(conf, 5).bytes()).isBetween(1L << 20, 16L << 20);
  }

  @Test
  void manyStreamsAreMerged() throws IOException {
    Random random = new Random(5);
    List<List<String>> runs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      runs.add(new ArrayList<>());
    }
    keys(1_000).forEach(k -> runs.get(random.nextInt(40)).add(k));
    MergedRows merged = MergedRows.of(runs.stream().map(this::stream).toList(), false);
    assertThat(drain(merged)).isEqualTo(keys(1_000));
    merged.close();
    assertThat(closed).isEqualTo(40);
    assertThat(merged.next()).isNull();
    assertThat(MergedRows.of(List.of(), false).next()).isNull();
  }
}
