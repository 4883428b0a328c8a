package io.spyhop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;

/** Input that HBase's format splits is read whole, each row once, whatever its keys. */
class CompletenessTest {
  private static final byte[] END = {};
  private static final long REGION = 64L << 20;

  private static byte[] key(int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return key;
  }

  private static TableSplit split(byte[] start, byte[] end, long length) {
    return new TableSplit(TableName.valueOf("t"), null, start, end, "here", "r", length);
  }

  /** Keys that begin or end with the least or the greatest byte, or differ by little. */
  private static List<byte[]> keys(Random random) {
    int[] some = {0, 0, 1, 0x7F, 0x80, 0xFE, 0xFF, 0xFF, 0xFF};
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = new byte[1 + random.nextInt(4)];
      for (int j = 0; j < key.length; j++) {
        key[j] = (byte) some[random.nextInt(some.length)];
      }
      keys.add(key);
    }
    keys.sort(Bytes.BYTES_COMPARATOR);
    List<byte[]> distinct = new ArrayList<>();
    for (byte[] key : keys) {
      if (distinct.isEmpty() || !Bytes.equals(distinct.get(distinct.size() - 1), key)) {
        distinct.add(key);
      }
    }
    return distinct;
  }

  private static List<InputSplit> regions(List<byte[]> keys, Random random, long length) {
    List<InputSplit> regions = new ArrayList<>();
    byte[] start = END;
    for (byte[] key : keys) {
      if (random.nextInt(20) == 0) {
        regions.add(split(start, key, (long) (length * random.nextDouble() * 3)));
        start = key;
      }
    }
    regions.add(split(start, END, 4 * length));
    return regions;
  }

  /** How many of the splits have a row. */
  private static long readers(List<? extends InputSplit> splits, byte[] row) {
    return splits.stream()
        .map(TableSplit.class::cast)
        .filter(
            s ->
                Bytes.compareTo(s.getStartRow(), row) <= 0
                    && (s.getEndRow().length == 0 || Bytes.compareTo(row, s.getEndRow()) < 0))
        .count();
  }

  private static void assertOnceEach(List<? extends InputSplit> splits, List<byte[]> rows) {
    for (byte[] row : rows) {
      assertThat(readers(splits, row)).as("%s in %s", Bytes.toStringBinary(row), splits).isOne();
    }
  }

  @Test
  void splitsOfARegionReachFromItsStartToItsEnd() {
    SpyhopInputFormat format = new SpyhopInputFormat();
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      List<byte[]> rows = keys(random);
      List<InputSplit> all = new ArrayList<>();
      int n = random.nextInt(9);
      for (InputSplit region : regions(rows, random, REGION)) {
        List<InputSplit> parts = format.createNInputSplitsUniform(region, n);
        assertThat(parts).hasSizeBetween(1, Math.max(1, n));
        all.addAll(parts);
      }
      assertOnceEach(all, rows);
    }
  }

  @Test
  void evenlyLoadedMappersReadAll() throws IOException {
    SpyhopInputFormat format = new SpyhopInputFormat();
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      List<byte[]> rows = keys(random);
      List<InputSplit> regions = regions(rows, random, REGION);
      assertOnceEach(format.calculateAutoBalancedSplits(regions, 8 * REGION), rows);
    }
  }

  @Test
  void aRegionWithRoomIsDividedAsAskedFor() {
    SpyhopInputFormat format = new SpyhopInputFormat();
    for (byte[][] bounds :
        new byte[][][] {{END, END}, {END, key('m')}, {key('m'), END}, {key(0xFF), END}}) {
      assertThat(format.createNInputSplitsUniform(split(bounds[0], bounds[1], REGION), 5))
          .hasSize(5);
    }
    assertThat(format.createNInputSplitsUniform(split(key('m'), key('m', 0), REGION), 5))
        .isNotEmpty();
  }

  /** Regions that are split and merged while they are listed overlap, or leave a hole. */
  @Test
  void whatWasListedBesideSplitsAndMergesIsMadeWhole() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<byte[]> rows = keys(random);
      List<TableSplit> listed = new ArrayList<>();
      for (InputSplit region : regions(rows, random, REGION)) {
        TableSplit s = (TableSplit) region;
        byte[] other = rows.get(random.nextInt(rows.size()));
        switch (random.nextInt(6)) {
          case 0 -> listed.add(split(s.getStartRow(), END, REGION));
          case 1 -> listed.add(split(other, s.getEndRow(), REGION));
          case 2 -> {
            listed.add(s);
            listed.add(s);
          }
          case 3 -> {
            // left out
          }
          default -> listed.add(s);
        }
      }
      listed.removeIf(
          s -> s.getEndRow().length > 0 && Bytes.compareTo(s.getStartRow(), s.getEndRow()) >= 0);
      if (listed.isEmpty()) {
        continue;
      }
      assertOnceEach(Partition.complete(listed, END, END), rows);
      byte[] from = rows.get(rows.size() / 3);
      byte[] to = rows.get(rows.size() / 2);
      List<TableSplit> within = Partition.complete(List.of(split(from, to, REGION)), from, to);
      assertOnceEach(within, rows.subList(rows.size() / 3, rows.size() / 2));
      assertThat(readers(within, to)).isZero();
    }
  }

  /** The last row that was read does not satisfy the condition any more when the scan fails. */
  @Test
  void aScanThatFailsEndsItsTask() throws Exception {
    byte[][] rows = {key('a'), key('b'), key('c')};
    RowReader reader = new RowReader();
    reader.setScan(new Scan());
    reader.setTable(table(rows));
    reader.initialize(null, new TaskAttemptContextImpl(new Configuration(), new TaskAttemptID()));
    List<String> read = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (reader.nextKeyValue()) {
                read.add(Bytes.toString(reader.getCurrentValue().getRow()));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("begin anew");
    assertThat(read).containsExactly("a");
    reader.close();
  }

  /** The first scan fails behind the first row, which later ones do not have. */
  private static Table table(byte[][] rows) {
    int[] scans = {0};
    return proxy(
        Table.class,
        (name, args) -> {
          if (name.equals("getConfiguration")) {
            return new Configuration();
          }
          if (!name.equals("getScanner")) {
            return null;
          }
          boolean first = scans[0]++ == 0;
          int[] next = {first ? 0 : 1};
          return proxy(
              ResultScanner.class,
              (method, none) -> {
                if (!method.equals("next")) {
                  return null;
                }
                if (first && next[0] > 0) {
                  throw new IOException("lost");
                }
                return next[0] < rows.length ? result(rows[next[0]++]) : null;
              });
        });
  }

  private static Result result(byte[] row) {
    return Result.create(List.<Cell>of(new KeyValue(row, key('f'), key('q'), 1, key('v'))));
  }

  /** Answers calls by their names. */
  private interface Calls {
    Object call(String name, Object[] args) throws IOException;
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> calls.call(method.getName(), args)));
  }
}
