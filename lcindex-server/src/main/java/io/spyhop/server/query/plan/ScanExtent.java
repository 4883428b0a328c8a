package io.spyhop.server.query.plan;

import io.spyhop.server.index.stats.RowSpan;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.hbase.Cell;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * About how much a plain scan of a range of rows reads in a region.
 *
 * @param cells in HFiles
 * @param memstore cells in memstores
 * @param rows in HFiles, each as often as a file has some of it; 0 if that is not known
 * @param share of the region's cells, over 0 and at most 1
 */
record ScanExtent(long cells, long memstore, long rows, double share) {
  /** A range of so few blocks of an index's root is looked at more closely. */
  private static final int FEW = 3;

  private static final Logger LOG = LoggerFactory.getLogger(ScanExtent.class);

  /**
   * Looks at HFiles: their block indexes say which part of them lies in the range, to some blocks
   * of data, and ROW bloom filters how many rows they have. All of that is in memory, but for
   * narrow ranges of large files, of which the blocks at both ends are read.
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
    double coarse = (double) Math.max(1, to - from + 1) / blocks;
    return to - from < FEW && SpyhopBlocks.isDeep(file)
        ? Math.min(coarse, fine(file, range))
        : coarse;
  }

  /** A block of the root stands for a thousand blocks of data and more. */
  private static double fine(HFile.Reader file, RowSpan range) {
    try {
      return SpyhopBlocks.share(file, first(range.start()), first(range.stop()));
    } catch (IOException e) {
      LOG.debug("The index of {} cannot be read", file.getPath(), e);
      return 1;
    }
  }

  private static Cell first(byte[] row) {
    return row.length == 0 ? null : KeyValueUtil.createFirstOnRow(row);
  }

  private static int block(HFile.Reader file, byte[] row) {
    return SpyhopBlocks.at(file, KeyValueUtil.createFirstOnRow(row));
  }

  private static long rows(StoreFileReader reader) {
    BloomFilter bloom = SpyhopAccess.bloom(reader);
    return bloom != null && reader.getBloomFilterType() == BloomType.ROW ? bloom.getKeyCount() : 0;
  }
}
