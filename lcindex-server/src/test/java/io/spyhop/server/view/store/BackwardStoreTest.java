package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reversed scans beside flushes give what a forward scan gave when they began. */
class BackwardStoreTest {
  private static final int ROWS = 60;
  private static final int SEEDS = 20;
  private static final int MANY_FILES = 20;

  @TempDir Path dir;
  private LocalRegions regions;

  @BeforeEach
  void start() {
    regions = new LocalRegions(dir);
    regions.conf().setInt("hbase.hstore.compaction.max", 1000);
  }

  @AfterEach
  void stop() throws IOException {
    regions.close();
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(LocalRegions.F, LocalRegions.F, LocalRegions.F);
  }

  /** The rows of a scan from now on; {@code beside} is told how many it has so far. */
  private static List<String> rows(RegionScanner scanner, BackgroundExecutor beside)
      throws IOException {
    List<String> rows = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    for (boolean more = true; more; ) {
      more = scanner.nextRaw(cells);
      if (!cells.isEmpty()) {
        rows.add(
            Bytes.toString(CellUtil.cloneRow(cells.get(0)))
                + Bytes.toStringBinary(CellUtil.cloneValue(cells.get(0))));
        cells.clear();
        ((Shipper) scanner).shipped();
        beside.happens(rows.size());
      }
    }
    return rows;
  }

  private interface BackgroundExecutor {
    void happens(int rows) throws IOException;
  }

  /** In HBase 2.6.1 {@code r27} is lost. */
  @Test
  void aFlushOfNewerCellsLosesNoRow() throws IOException {
    HRegion region = regions.open(false, f -> f);
    for (int i = 10; i < 30; i++) {
      region.put(put("r" + i));
    }
    region.flush(true);
    try (RegionScanner scanner = region.getScanner(new Scan().setReversed(true))) {
      List<String> rows =
          rows(
              scanner,
              n -> {
                if (n == 2) {
                  region.put(put("q"));
                  region.put(put("z"));
                  region.flush(true);
                }
              });
      assertThat(rows).hasSize(20).contains("r27f").doesNotContain("zf");
    }
    assertThat(region.getStore(LocalRegions.F).getStorefiles())
        .noneMatch(HStoreFile::isReferencedInReads);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "FAST_DIFF", "ROW_INDEX_V1", "views"})
  void randomWritesBesideReversedScans(String kind) throws IOException {
    boolean views = kind.equals("views");
    DataBlockEncoding encoding =
        views ? DataBlockEncoding.ROW_INDEX_V1 : DataBlockEncoding.valueOf(kind);
    HRegion region =
        regions.open(views, f -> f.setDataBlockEncoding(encoding).setBlocksize(1 << 9));
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      change(region, random);
      if (region.getStore(LocalRegions.F).getStorefilesCount() > MANY_FILES) {
        region.compact(true);
      }
      if (views) {
        LocalRegions.view(region);
      }
      Scan forward = new Scan();
      Scan reversed = new Scan().setReversed(true).setCacheBlocks(random.nextBoolean());
      if (random.nextBoolean()) {
        byte[] last = Bytes.toBytes(row(random));
        boolean with = random.nextBoolean();
        forward.withStopRow(last, with);
        reversed.withStartRow(last, with);
      }
      List<String> expected;
      try (RegionScanner scanner = region.getScanner(forward)) {
        expected = rows(scanner, n -> {});
      }
      Collections.reverse(expected);
      try (RegionScanner scanner = region.getScanner(reversed)) {
        List<String> rows = rows(scanner, n -> sometimes(region, random));
        assertThat(rows).as("seed %d", seed).isEqualTo(expected);
      }
    }
  }

  private static void sometimes(HRegion region, Random random) throws IOException {
    if (random.nextInt(8) == 0) {
      change(region, random);
      if (random.nextInt(8) == 0) {
        region.compact(true);
      }
    }
  }

  private static void change(HRegion region, Random random) throws IOException {
    for (int i = random.nextInt(12); i >= 0; i--) {
      byte[] row = Bytes.toBytes(row(random));
      if (random.nextInt(5) == 0) {
        region.delete(new Delete(row));
      } else {
        byte[] value = Bytes.toBytes(random.nextInt());
        region.put(new Put(row).addColumn(LocalRegions.F, LocalRegions.F, value));
      }
    }
    if (random.nextInt(3) > 0) {
      region.flush(true);
    }
  }

  private static String row(Random random) {
    return String.format("%04d", random.nextInt(ROWS));
  }
}
