package io.spyhop.server.memory;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Tells the bytes of the blocks that calls with a context read, whatever comes of their cells. In
 * HBase 2.5 nobody counts them, and a call stands for one block of usual size. Not thread-safe.
 */
public final class BlockBytes {
  private final ScannerContext context;
  private long before;

  /** Of calls from now on. */
  public BlockBytes(ScannerContext context) {
    this.context = context;
    this.before = Math.max(0, SpyhopAccess.blockBytes(context));
  }

  /** Those of the call since this was asked before. */
  public long ofCall() {
    long now = SpyhopAccess.blockBytes(context);
    if (now < 0) {
      return HConstants.DEFAULT_BLOCKSIZE;
    }
    long more = now - before;
    before = now;
    return more;
  }
}
