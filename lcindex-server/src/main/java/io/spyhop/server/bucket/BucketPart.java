package io.spyhop.server.bucket;

import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Holds up the writes of a region that is about to be moved, for a short time, so that its memstore
 * is empty when it closes (DynaHash, section V-C). What is refused is tried again by HBase's
 * clients, and is welcome where the region is by then. Thread-safe.
 */
public final class BucketPart implements RegionPart {
  private static final long OPEN = 0;
  private static final long NO_READ_POINT = -1;

  private final RegionInfo region;
  private final boolean bucketed;

  /** Until when, in nanoseconds; {@link #OPEN} if not at all. */
  private volatile long heldUntil = OPEN;

  /** Of a region that opens. */
  public BucketPart(RegionContext context) {
    this.region = context.region().getRegionInfo();
    this.bucketed = context.region().getTableDescriptor().getValue(BucketOptions.KEY) != null;
  }

  /**
   * Holds up writes from now on.
   *
   * @param millis for how long; 0 lets them in again
   */
  public void hold(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    heldUntil = millis <= 0 ? OPEN : until == OPEN ? 1 : until;
  }

  private void requireOpen() throws RegionTooBusyException {
    long until = heldUntil;
    if (until != OPEN && until - System.nanoTime() > 0) {
      throw new RegionTooBusyException(
          "region "
              + region.getRegionNameAsString()
              + " is about to be moved to another server: try again");
    }
  }

  /**
   * HBase's client goes on behind the last row that it has where a region is by then, at the read
   * point that it had before; nobody knows of it there, and what was visible at it may be gone, as
   * newer versions have come and a compaction has dropped it (docs/decisions/0007). Buckets move by
   * themselves, so what is left is read as it is now. Where a client may have a part of the row at
   * which it begins, that is read as it was.
   */
  @Override
  public void scanning(Scan scan) {
    if (bucketed
        && scan.getBatch() <= 0
        && isBehindARow(scan)
        && PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0) {
      PackagePrivateFieldAccessor.setMvccReadPoint(scan, NO_READ_POINT);
    }
  }

  /** HBase's client makes the row behind one by appending a 0. */
  private static boolean isBehindARow(Scan scan) {
    byte[] start = scan.getStartRow();
    return !scan.includeStartRow() || start.length > 0 && start[start.length - 1] == 0;
  }

  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    requireOpen();
  }

  @Override
  public void load(List<Pair<byte[], String>> files) throws IOException {
    requireOpen();
  }
}
