package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.view.WrongViews;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans that read a view, scans that do not, and what both leave behind. */
class ViewStoreTest {
  private static final int ROWS = 400;
  private static final int FILES = 4;

  @TempDir Path dir;
  private LocalRegions regions;

  @BeforeEach
  void start() {
    regions = new LocalRegions(dir);
  }

  @AfterEach
  void stop() throws IOException {
    regions.close();
  }

  private HRegion filled() throws IOException {
    return filled(DataBlockEncoding.ROW_INDEX_V1);
  }

  private HRegion filled(DataBlockEncoding encoding) throws IOException {
    HRegion region =
        regions.open(true, f -> f.setDataBlockEncoding(encoding).setBlocksize(1 << 10));
    for (int file = 0; file < FILES; file++) {
      for (int i = file; i < ROWS; i += FILES) {
        region.put(put(i, 100L + file));
      }
      region.flush(true);
    }
    return region;
  }

  private static Put put(int row, long timestamp) {
    return new Put(Bytes.toBytes(String.format("%04d", row)))
        .addColumn(LocalRegions.F, Bytes.toBytes("a"), timestamp, Bytes.toBytes(row))
        .addColumn(LocalRegions.F, Bytes.toBytes("b"), timestamp, Bytes.toBytes(-row));
  }

  /** The values, with the blocks given back now and then. */
  private static List<Integer> values(HRegion region, Scan scan) throws IOException {
    List<Integer> values = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      for (boolean more = true; more; ) {
        more = scanner.nextRaw(cells);
        cells.forEach(c -> values.add(Bytes.toInt(CellUtil.cloneValue(c))));
        cells.clear();
        if (values.size() % 14 == 0) {
          ((Shipper) scanner).shipped();
        }
      }
    }
    return values;
  }

  private static List<Integer> expected(int from) {
    List<Integer> values = new ArrayList<>();
    for (int i = from; i < ROWS; i++) {
      values.add(i);
      values.add(-i);
    }
    return values;
  }

  private static void assertNoFileIsHeld(HRegion region) {
    assertThat(region.getStore(LocalRegions.F).getStorefiles())
        .hasSize(FILES)
        .noneMatch(HStoreFile::isReferencedInReads);
  }

  @Test
  void scansLetGoOfAllFiles() throws IOException {
    HRegion region = filled();
    LocalRegions.Views views = LocalRegions.view(region);
    assertThat(values(region, new Scan())).isEqualTo(expected(0));
    assertThat(values(region, new Scan().withStartRow(Bytes.toBytes("0390"))))
        .isEqualTo(expected(390));
    assertThat(values(region, new Scan().withStartRow(Bytes.toBytes("9")))).isEmpty();
    assertThat(views.used.get()).isEqualTo(3);
    assertNoFileIsHeld(region);
  }

  @Test
  void whatIsLeftOfFewKeysIsReadFileByFile() throws IOException {
    HRegion region = filled();
    LocalRegions.Views views = LocalRegions.view(region);
    Scan one = new Scan().setTimeRange(100, 101);
    assertThat(values(region, one)).hasSize(2 * ROWS / FILES);
    assertThat(views.used.get()).isZero();
    Scan two = new Scan().setTimeRange(100, 102);
    assertThat(values(region, two)).hasSize(4 * ROWS / FILES);
    assertThat(views.used.get()).isOne();
    Scan none = new Scan().setTimeRange(1, 2);
    assertThat(values(region, none)).isEmpty();
    assertNoFileIsHeld(region);
  }

  @Test
  void aViewThatSaysWhatIsNotSoIsDroppedAndTheNextScanIsRight() throws IOException {
    HRegion region = filled();
    for (int key : new int[] {0, 5, 301, 2 * ROWS - 1}) {
      LocalRegions.Views views = LocalRegions.view(region);
      WrongViews.spoil(views.view, key);
      assertThatThrownBy(() -> values(region, new Scan()))
          .as("from key %d", key)
          .isInstanceOf(IOException.class);
      assertThat(views.view).isNull();
      assertThat(views.failure).isNotNull();
      assertThat(values(region, new Scan())).isEqualTo(expected(0));
      assertNoFileIsHeld(region);
    }
  }

  /** What a disk does not give for a while is no fault of the view. */
  @Test
  void aReadErrorThatPassesCostsNoView() throws IOException {
    HRegion region = filled();
    LocalRegions.Views views = LocalRegions.view(region);
    String name =
        region
            .getStore(LocalRegions.F)
            .getStorefiles()
            .iterator()
            .next()
            .getPath()
            .toUri()
            .getPath();
    try (RandomAccessFile file = new RandomAccessFile(name, "rw")) {
      byte[] begin = new byte[2_000];
      file.readFully(begin);
      file.seek(0);
      file.write(new byte[begin.length]);
      assertThatThrownBy(() -> values(region, new Scan())).isInstanceOf(IOException.class);
      file.seek(0);
      file.write(begin);
    }
    assertThat(views.failure).isNull();
    assertThat(views.unread.get()).isOne();
    assertThat(values(region, new Scan())).isEqualTo(expected(0));
    assertThat(views.used.get()).isEqualTo(2);
    assertNoFileIsHeld(region);
  }

  @Test
  void blocksOutsideOfTheHeapAreGivenBack() throws IOException {
    regions.conf().set("hbase.hregion.impl", LocalRegions.Cached.class.getName());
    regions.conf().set("hbase.bucketcache.ioengine", "offheap");
    regions.conf().set("hbase.bucketcache.size", "40");
    regions.conf().setFloat("hfile.block.cache.size", 0.02f);
    for (DataBlockEncoding encoding :
        new DataBlockEncoding[] {DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1}) {
      HRegion region = filled(encoding);
      LocalRegions.Views views = LocalRegions.view(region);
      for (int times = 0; times < 3; times++) { // from disk, then from the cache
        assertThat(values(region, new Scan())).as("%s", encoding).isEqualTo(expected(0));
        assertThat(values(region, new Scan().setCacheBlocks(false))).isEqualTo(expected(0));
      }
      assertThat(views.used.get()).isEqualTo(6);
      assertThat(views.failure).isNull();
      assertThat(((LocalRegions.Cached) region).getBlockCache().getBlockCount()).isPositive();
      assertNoFileIsHeld(region);
    }
  }
}
