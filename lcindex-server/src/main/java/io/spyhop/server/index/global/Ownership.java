package io.spyhop.server.index.global;

import java.io.IOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * Proof that a region is still this server's. A server that was paused, or that reaches nobody but
 * the index servers, may have been taken for dead; it goes on reading its regions as they were. But
 * its log is taken from it before anyone else opens them, so what is in the log now is proof.
 * Stateless.
 */
final class Ownership {
  private static final byte[] QUALIFIER = Bytes.toBytes("SPYHOP_OWNER");

  private Ownership() {}

  /**
   * Writes a marker to the region's log, which nobody reads, and syncs it.
   *
   * @throws IOException if that cannot be done; the region may be another server's
   */
  static void prove(HRegion region) throws IOException {
    RegionInfo info = region.getRegionInfo();
    WAL log = region.getWAL();
    if (log == null) {
      throw new IOException(region + " has no log");
    }
    long now = EnvironmentEdgeManager.currentTime();
    MultiVersionConcurrencyControl mvcc = region.getMVCC();
    WALKeyImpl key = new WALKeyImpl(info.getEncodedNameAsBytes(), info.getTable(), now, mvcc);
    try {
      log.sync(log.appendMarker(info, key, marker(info, now)));
    } finally {
      if (key.getWriteEntry() != null) {
        mvcc.complete(key.getWriteEntry());
      }
    }
  }

  private static WALEdit marker(RegionInfo info, long now) {
    byte[] row = WALEdit.getRowForRegion(info);
    KeyValue cell = new KeyValue(row, WALEdit.METAFAMILY, QUALIFIER, now, KeyValue.Type.Put);
    return new WALEdit().add(cell, WALEdit.METAFAMILY);
  }
}
