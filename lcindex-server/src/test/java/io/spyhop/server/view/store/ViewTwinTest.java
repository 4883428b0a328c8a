package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same writes into a region with a view and one without; every scan says the same of both. */
class ViewTwinTest {
  private static final byte[] F = LocalRegions.F;

  @TempDir java.nio.file.Path dir;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void scansSayTheSame(long seed) throws IOException {
    Random random = new Random(seed);
    UnaryOperator<ColumnFamilyDescriptorBuilder> options = options(random);
    try (LocalRegions regions = new LocalRegions(dir)) {
      HRegion viewed = regions.open(true, options);
      HRegion plain = regions.open(false, options);
      int used = 0;
      LocalRegions.Views views = LocalRegions.view(viewed);
      for (int step = 0; step < 25; step++) {
        write(random, viewed, plain);
        if (random.nextInt(6) == 0) {
          load(random, viewed, plain);
        }
        if (random.nextInt(3) > 0) {
          viewed.flush(true);
          plain.flush(true);
        }
        if (random.nextInt(12) == 0) {
          boolean major = random.nextBoolean();
          viewed.compact(major);
          plain.compact(major);
        }
        if (random.nextInt(4) > 0) {
          used += views.used.get();
          views = LocalRegions.view(viewed);
        }
        for (int i = 0; i < 12; i++) {
          long same = random.nextLong();
          Scan scan = scan(new Random(same));
          assertThat(rows(viewed, scan))
              .as("seed %d, %s", seed, scan)
              .isEqualTo(rows(plain, scan(new Random(same))));
        }
        assertThat(views.failure).isNull();
      }
      assertThat(used + views.used.get()).isPositive();
    }
  }

  @Test
  void aScanUnderFlushesAndCompactionsSeesWhatItBeganWith() throws IOException {
    try (LocalRegions regions = new LocalRegions(dir)) {
      HRegion region =
          regions.open(true, f -> f.setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1));
      for (int file = 0; file < 5; file++) {
        for (int i = file; i < 500; i += 5) {
          region.put(put(i, "before"));
        }
        region.flush(true);
      }
      for (int i = 0; i < 500; i += 50) {
        region.put(put(i, "memory"));
      }
      LocalRegions.Views views = LocalRegions.view(region);
      List<String> seen = new ArrayList<>();
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scanner = region.getScanner(new Scan().addFamily(F))) {
        for (int i = 0; i < 500; i++) {
          scanner.nextRaw(cells);
          cells.forEach(c -> seen.add(text(c)));
          cells.clear();
          if (i % 100 == 7) {
            flushLater(region, i + 40);
          }
          if (i == 150) {
            // Two at once, both of which the view of that moment has.
            flushLater(region, 400);
            flushLater(region, 401);
            views.view = LocalRegions.build(region, null, 1);
          }
          if (i == 170) {
            // Ten HFiles HBase would not compact all at once.
            region.compact(true);
            region.getStore(F).closeAndArchiveCompactedFiles();
          }
          if (i % 30 == 0) {
            ((Shipper) scanner).shipped();
          }
        }
      }
      assertThat(views.used.get()).isEqualTo(1);
      assertThat(views.failure).isNull();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        expected.add(String.format("%04d=%s", i, i % 50 == 0 ? "memory" : "before"));
      }
      assertThat(seen).isEqualTo(expected);
      assertThat(region.getStore(F).getStorefilesCount()).isLessThan(5);
    }
  }

  private static String text(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + "="
        + Bytes.toString(CellUtil.cloneValue(cell));
  }

  private static void flushLater(HRegion region, int row) throws IOException {
    region.put(put(row, "later"));
    region.flush(true);
  }

  private static Put put(int row, String value) {
    return new Put(Bytes.toBytes(String.format("%04d", row)))
        .addColumn(F, Bytes.toBytes("q"), Bytes.toBytes(value));
  }

  private static UnaryOperator<ColumnFamilyDescriptorBuilder> options(Random random) {
    DataBlockEncoding encoding =
        random.nextBoolean() ? DataBlockEncoding.NONE : DataBlockEncoding.ROW_INDEX_V1;
    int versions = 1 + random.nextInt(3);
    KeepDeletedCells keep = KeepDeletedCells.values()[random.nextInt(3)];
    BloomType bloom = BloomType.values()[random.nextInt(3)];
    boolean newVersions = random.nextInt(4) == 0;
    int blocks = random.nextBoolean() ? 64 << 10 : 512;
    return f ->
        f.setDataBlockEncoding(encoding)
            .setMaxVersions(versions)
            .setKeepDeletedCells(keep)
            .setBloomFilterType(bloom)
            .setBlocksize(blocks)
            .setNewVersionBehavior(newVersions);
  }

  private static void write(Random random, HRegion viewed, HRegion plain) throws IOException {
    for (int i = random.nextInt(60); i >= 0; i--) {
      byte[] row = row(random);
      long ts = 1L + random.nextInt(20);
      if (random.nextInt(4) > 0) {
        Put put = new Put(row);
        for (int q = random.nextInt(3); q >= 0; q--) {
          put.addColumn(F, qualifier(random), ts, Bytes.toBytes(random.nextInt()));
        }
        viewed.put(put);
        plain.put(put);
      } else {
        Delete delete = delete(random, row, ts);
        viewed.delete(new Delete(delete));
        plain.delete(new Delete(delete));
      }
    }
  }

  /**
   * Loads a file of cells that carry sequence ids of their own, which HBase replaces by that of the
   * load, or, where the load has none, by -1.
   */
  private static void load(Random random, HRegion viewed, HRegion plain) throws IOException {
    boolean assigned = random.nextBoolean();
    TreeMap<KeyValue, KeyValue> cells = new TreeMap<>(CellComparator.getInstance());
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      long ts = 1L + random.nextInt(20);
      KeyValue cell =
          new KeyValue(row(random), F, qualifier(random), ts, Bytes.toBytes(random.nextInt()));
      cell.setSequenceId(random.nextInt(3) == 0 ? 1L << 40 : random.nextInt(50));
      cells.put(cell, cell);
    }
    for (HRegion region : List.of(viewed, plain)) {
      Path file = new Path(region.getRegionFileSystem().getTableDir(), "load" + UUID.randomUUID());
      LocalRegions.write(region, file, cells.values());
      region.bulkLoadHFiles(List.of(new Pair<>(F, file.toString())), assigned, null);
    }
  }

  private static Delete delete(Random random, byte[] row, long ts) {
    Delete delete = new Delete(row);
    switch (random.nextInt(4)) {
      case 0:
        return delete.addColumn(F, qualifier(random), ts);
      case 1:
        return delete.addColumns(F, qualifier(random), ts);
      case 2:
        return delete.addFamily(F, ts);
      default:
        return delete.addFamilyVersion(F, ts);
    }
  }

  private static byte[] row(Random random) {
    return Bytes.toBytes("r" + random.nextInt(40));
  }

  private static byte[] qualifier(Random random) {
    return Bytes.toBytes("q" + random.nextInt(6));
  }

  private static Scan scan(Random random) throws IOException {
    Scan scan = new Scan();
    if (random.nextInt(3) > 0) {
      scan.withStartRow(row(random), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.withStopRow(Bytes.toBytes("r" + (30 + random.nextInt(40))), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        scan.addColumn(F, qualifier(random));
      }
    } else {
      scan.addFamily(F);
    }
    scan.readVersions(1 + random.nextInt(4));
    if (random.nextInt(3) == 0) {
      long from = random.nextInt(15);
      scan.setTimeRange(from, from + 1 + random.nextInt(10));
    }
    scan.setCacheBlocks(random.nextBoolean());
    if (random.nextInt(5) == 0) {
      scan.setReadType(Scan.ReadType.values()[random.nextInt(3)]);
    }
    scan.setMaxResultsPerColumnFamily(random.nextInt(6) == 0 ? 1 + random.nextInt(3) : -1);
    scan.setRowOffsetPerColumnFamily(random.nextInt(6) == 0 ? random.nextInt(3) : 0);
    filter(random, scan);
    return scan;
  }

  private static void filter(Random random, Scan scan) throws IOException {
    switch (random.nextInt(6)) {
      case 0:
        scan.setFilter(new ColumnPrefixFilter(qualifier(random)));
        break;
      case 1:
        scan.setFilter(
            new MultiRowRangeFilter(
                new ArrayList<>(
                    List.of(
                        new MultiRowRangeFilter.RowRange("r1", true, "r15", false),
                        new MultiRowRangeFilter.RowRange("r3", true, "r35", true)))));
        break;
      case 2:
        scan.setFilter(
            new FilterList(new PageFilter(5), new ColumnPrefixFilter(Bytes.toBytes("q"))));
        break;
      default:
    }
  }

  /** Each cell as text. */
  private static List<String> rows(HRegion region, Scan scan) throws IOException {
    List<String> all = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      for (boolean more = true; more; ) {
        more = scanner.nextRaw(cells);
        for (Cell c : cells) {
          KeyValue copy = KeyValueUtil.copyToNewKeyValue(c);
          all.add(copy + " " + Bytes.toStringBinary(CellUtil.cloneValue(c)));
        }
        cells.clear();
        ((Shipper) scanner).shipped();
      }
    }
    return all;
  }
}
