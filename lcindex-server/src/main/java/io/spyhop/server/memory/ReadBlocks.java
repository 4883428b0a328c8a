package io.spyhop.server.memory;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Has a region's scanner let go of blocks by their own bytes, as filters pass over cells that
 * nobody sees. Not thread-safe.
 */
public final class ReadBlocks {
  private final ScannerContext context = SpyhopAccess.unlimited();
  private final UnshippedBytes unshipped = new UnshippedBytes();
  private final BlockBytes blocks = new BlockBytes(context);

  /** What the scanner is to be called with. */
  public ScannerContext context() {
    return context;
  }

  /** To be called when nobody needs the cells so far, as they were copied. */
  public void letGo(RegionScanner scanner) throws IOException {
    if (unshipped.add(blocks.ofCall()) && scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }
}
