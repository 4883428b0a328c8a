package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * HBase's contract of the scanners of a store's HFiles, joined in a heap. A class that puts others
 * in their place passes the same.
 */
abstract class FileScannersContract {
  private static final byte[] F = LocalRegions.F;
  private static final CellComparator COMPARATOR = CellComparator.getInstance();

  @TempDir java.nio.file.Path dir;
  private LocalRegions regions;
  private HRegion region;

  @BeforeEach
  void begin() {
    regions = new LocalRegions(dir);
  }

  @AfterEach
  void end() throws IOException {
    regions.close();
  }

  /**
   * What is to be tested, in place of HBase's scanners, which have not been moved; called when the
   * HFiles are all there.
   */
  abstract List<KeyValueScanner> inPlace(
      HRegion region, List<KeyValueScanner> files, long readPoint) throws IOException;

  @ParameterizedTest
  @EnumSource(
      value = DataBlockEncoding.class,
      names = {"NONE", "ROW_INDEX_V1"})
  void givesAllCellsInOrder(DataBlockEncoding encoding) throws IOException {
    fill(encoding, 6, 150);
    List<KeyValue> all = expected(Long.MAX_VALUE);
    KeyValueHeap heap = heap(KeyValue.LOWESTKEY, Long.MAX_VALUE);
    for (KeyValue e : all) {
      assertSame(heap.peek(), e);
      assertSame(heap.next(), e);
    }
    assertThat(heap.peek()).isNull();
    assertThat(heap.next()).isNull();
    heap.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataBlockEncoding.class,
      names = {"NONE", "ROW_INDEX_V1"})
  void seeksAndGoesForward(DataBlockEncoding encoding) throws IOException {
    fill(encoding, 6, 150);
    Random random = new Random(2);
    for (long readPoint : new long[] {Long.MAX_VALUE, 300}) {
      List<KeyValue> all = expected(readPoint);
      for (int i = 0; i < 200; i++) {
        Cell start = key(random, all.get(random.nextInt(all.size())));
        KeyValueHeap heap = heap(start, readPoint);
        int at = find(all, 0, start);
        for (int step = 0; step < 12 && at < all.size(); step++) {
          assertSame(heap.peek(), all.get(at));
          at = forward(random, heap, all, at);
        }
        if (at == all.size()) {
          assertThat(heap.peek()).isNull();
        } else {
          assertSame(heap.peek(), all.get(at));
        }
        heap.shipped();
        heap.close();
      }
    }
  }

  private static int forward(Random random, KeyValueHeap heap, List<KeyValue> all, int at)
      throws IOException {
    Cell key = key(random, all.get(Math.min(all.size() - 1, at + random.nextInt(40))));
    switch (random.nextInt(3)) {
      case 0:
        heap.next();
        return at + 1;
      case 1:
        heap.reseek(key);
        break;
      default:
        heap.requestSeek(key, true, true);
    }
    // A heap stays where it is if the key, with its sequence id, is not behind its first cell.
    return COMPARATOR.compare(key, all.get(at)) <= 0 ? at : find(all, at, key);
  }

  @Test
  void findsNothingBehindTheLastCellAndAllBehindNone() throws IOException {
    fill(DataBlockEncoding.ROW_INDEX_V1, 3, 20);
    KeyValueHeap heap = heap(KeyValueUtil.createFirstOnRow(Bytes.toBytes("zzz")), Long.MAX_VALUE);
    assertThat(heap.peek()).isNull();
    assertThat(heap.next()).isNull();
    heap.close();
    KeyValueHeap all = heap(KeyValueUtil.createFirstOnRow(new byte[0]), Long.MAX_VALUE);
    assertSame(all.peek(), expected(Long.MAX_VALUE).get(0));
    assertThat(all.reseek(PrivateCellUtil.createLastOnRow(Bytes.toBytes("zzz")))).isFalse();
    all.close();
  }

  @Test
  void readsOneRunAndNone() throws IOException {
    fill(DataBlockEncoding.NONE, 0, 0);
    assertThat(heap(KeyValue.LOWESTKEY, Long.MAX_VALUE).peek()).isNull();
    fill(DataBlockEncoding.NONE, 1, 30);
    KeyValueHeap heap = heap(KeyValue.LOWESTKEY, Long.MAX_VALUE);
    for (KeyValue e : expected(Long.MAX_VALUE)) {
      assertSame(heap.next(), e);
    }
    heap.close();
  }

  @Test
  void takesTheNewestOfEqualKeysFirst() throws IOException {
    region = regions.open(true, f -> f.setMaxVersions(10));
    for (int i = 0; i < 4; i++) {
      region.put(new Put(Bytes.toBytes("r")).addColumn(F, Bytes.toBytes("q"), 7, Bytes.toBytes(i)));
      region.flush(true);
    }
    KeyValueHeap heap = heap(KeyValue.LOWESTKEY, Long.MAX_VALUE);
    for (int i = 3; i >= 0; i--) {
      assertThat(CellUtil.cloneValue(heap.next())).isEqualTo(Bytes.toBytes(i));
    }
    heap.close();
  }

  private void fill(DataBlockEncoding encoding, int files, int writes) throws IOException {
    region =
        regions.open(
            true, f -> f.setDataBlockEncoding(encoding).setMaxVersions(100).setBlocksize(2 << 10));
    Random random = new Random(1);
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < writes; i++) {
        byte[] row = Bytes.toBytes("r" + random.nextInt(40));
        byte[] column = Bytes.toBytes("q" + random.nextInt(4));
        long ts = 1L + random.nextInt(5);
        switch (random.nextInt(10)) {
          case 0 -> region.delete(new Delete(row).addFamily(F, ts));
          case 1 -> region.delete(new Delete(row).addFamilyVersion(F, ts));
          case 2 -> region.delete(new Delete(row).addColumns(F, column, ts));
          case 3 -> region.delete(new Delete(row).addColumn(F, column, ts));
          default -> region.put(new Put(row).addColumn(F, column, ts, Bytes.toBytes(i)));
        }
      }
      region.flush(true);
    }
  }

  private List<KeyValueScanner> files(long readPoint) throws IOException {
    HStore store = region.getStore(F);
    List<KeyValueScanner> files =
        store.getScanners(
            true, true, false, null, new byte[0], true, new byte[0], true, readPoint, false);
    files.removeIf(
        s -> {
          if (!s.isFileScanner()) {
            s.close();
          }
          return !s.isFileScanner();
        });
    return files;
  }

  private KeyValueHeap heap(Cell start, long readPoint) throws IOException {
    List<KeyValueScanner> scanners = inPlace(region, files(readPoint), readPoint);
    for (KeyValueScanner s : scanners) {
      s.seek(start);
    }
    return new KeyValueHeap(scanners, COMPARATOR);
  }

  /** All cells, sorted here. */
  private List<KeyValue> expected(long readPoint) throws IOException {
    record Ranked(KeyValue cell, long order) {}
    List<Ranked> all = new ArrayList<>();
    for (KeyValueScanner s : files(readPoint)) {
      s.seek(KeyValue.LOWESTKEY);
      for (Cell c = s.next(); c != null; c = s.next()) {
        KeyValue copy = KeyValueUtil.copyToNewKeyValue(c);
        copy.setSequenceId(c.getSequenceId());
        all.add(new Ranked(copy, s.getScannerOrder()));
      }
      s.close();
    }
    all.sort(
        Comparator.<Ranked, Cell>comparing(Ranked::cell, COMPARATOR)
            .thenComparing(Comparator.comparingLong(Ranked::order).reversed()));
    return all.stream().map(Ranked::cell).toList();
  }

  private static void assertSame(Cell cell, KeyValue expected) {
    assertThat(cell).isNotNull();
    assertThat(KeyValueUtil.copyToNewKeyValue(cell).getBuffer()).isEqualTo(expected.getBuffer());
    assertThat(cell.getSequenceId()).isEqualTo(expected.getSequenceId());
  }

  private static int find(List<KeyValue> all, int from, Cell key) {
    int i = from;
    while (i < all.size()
        && PrivateCellUtil.compareKeyIgnoresMvcc(COMPARATOR, all.get(i), key) < 0) {
      i++;
    }
    return i;
  }

  private static Cell key(Random random, Cell cell) {
    return switch (random.nextInt(5)) {
      case 0 -> PrivateCellUtil.createFirstOnRow(cell);
      case 1 -> PrivateCellUtil.createLastOnRow(cell);
      case 2 -> PrivateCellUtil.createFirstOnRowCol(cell);
      case 3 -> PrivateCellUtil.createLastOnRowCol(cell);
      default -> PrivateCellUtil.createFirstOnRowColTS(cell, cell.getTimestamp());
    };
  }
}
