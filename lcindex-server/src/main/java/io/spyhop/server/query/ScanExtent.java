package io.spyhop.server.query;

import io.spyhop.server.index.stats.RowSpan;
import java.util.Collection;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.SpyhopBlocks;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.BloomFilter;

/**
 * About how much a plain scan of a range of rows reads in a region.
 *
 * @param cells in HFiles
 * @param memstore cells in memstores
 * @param rows in HFiles, each as often as a file has some of it; 0 if that is not known
 * @param share of the region's cells, over 0 and at most 1
 */
record ScanExtent(long cells, long memstore, long rows, double share) {
  /**
   * Looks at what is in memory of HFiles: their block indexes say which part of them lies in the
   * range, to a block of the index's root, and ROW bloom filters how many rows they have.
   */
  static ScanExtent of(HRegion region, Collection<byte[]> families, RowSpan range) {
    long all = 0;
    double cells = 0;
    long memstore = 0;
    double rows = 0;
    for (byte[] family : families) {
      HStore store = region.getStore(family);
      if (store == null) {
        continue;
      }
      memstore += store.getMemStoreSize().getCellsCount();
      double ofStore = 0;
      for (HStoreFile file : store.getStorefiles()) {
        StoreFileReader reader = file.getReader();
        if (reader != null) {
          double share = share(reader, range);
          all += reader.getEntries();
          cells += share * reader.getEntries();
          ofStore += share * rows(reader);
        }
      }
      rows = Math.max(rows, ofStore);
    }
    double share = all == 0 ? 1 : cells / all;
    return new ScanExtent(
        (long) Math.ceil(cells), (long) Math.ceil(share * memstore), (long) rows, share);
  }

  private static double share(StoreFileReader reader, RowSpan range) {
    HFile.Reader file = reader.getHFileReader();
    int blocks = SpyhopBlocks.count(file);
    if (blocks == 0) {
      return 1;
    }
    int from = range.start().length == 0 ? 0 : Math.max(0, block(file, range.start()));
    int to = range.stop().length == 0 ? blocks - 1 : block(file, range.stop());
    return (double) Math.max(1, to - from + 1) / blocks;
  }

  private static int block(HFile.Reader file, byte[] row) {
    return SpyhopBlocks.at(file, KeyValueUtil.createFirstOnRow(row));
  }

  private static long rows(StoreFileReader reader) {
    BloomFilter bloom = SpyhopAccess.bloom(reader);
    return bloom != null && reader.getBloomFilterType() == BloomType.ROW ? bloom.getKeyCount() : 0;
  }
}
