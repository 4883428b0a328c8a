package io.spyhop.server.access;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the observers of a region what the caller of the current RPC may read, by the hook that
 * HBase calls before a scan. Nothing is scanned. Stateless.
 *
 * <p>It goes through every coprocessor of the region, in memory for HBase's own and as quick as
 * their scans for others; not to be used with a row locked.
 */
final class ReadProbe {
  private ReadProbe() {}

  /**
   * Opens a scan of all rows of the region, as far as the hook goes.
   *
   * @param selection selects columns or families
   * @return whether the observers left the scan as it was: no filter, and nothing narrower
   * @throws IOException what an observer throws, who refuses or cannot tell
   */
  static boolean isWhole(HRegion region, Consumer<Scan> selection) throws IOException {
    Scan asked = scan(region.getRegionInfo(), selection);
    Scan left = scan(region.getRegionInfo(), selection);
    region.getCoprocessorHost().preScannerOpen(left);
    return left.getFilter() == null && isAsWide(left, asked);
  }

  private static Scan scan(RegionInfo region, Consumer<Scan> selection) {
    Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
    selection.accept(scan);
    return scan;
  }

  private static boolean isAsWide(Scan left, Scan asked) {
    return left.getFamilyMap().equals(asked.getFamilyMap())
        && Bytes.equals(left.getStartRow(), asked.getStartRow())
        && Bytes.equals(left.getStopRow(), asked.getStopRow())
        && left.getTimeRange().isAllTime()
        && left.getColumnFamilyTimeRange().isEmpty()
        && left.getMaxVersions() == asked.getMaxVersions()
        && left.getMaxResultsPerColumnFamily() == asked.getMaxResultsPerColumnFamily()
        && left.getRowOffsetPerColumnFamily() == asked.getRowOffsetPerColumnFamily()
        && left.getLimit() == asked.getLimit();
  }
}
