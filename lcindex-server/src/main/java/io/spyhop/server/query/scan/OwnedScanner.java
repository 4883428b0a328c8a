package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.Refusal;
import io.spyhop.server.access.ColumnAccess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.NoLimitScannerContext;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * A scanner that HBase drives instead of the region's own, which stays open below, and that belongs
 * to the user who opened it. Thread-safe as HBase's own.
 */
public abstract class OwnedScanner implements RegionScanner {
  /** The region's own scanner of the same scan. */
  protected final RegionScanner core;

  private final ScannerOwner owner;

  /** Of the user whose call is being served. */
  OwnedScanner(HRegion region, RegionScanner core) throws IOException {
    this.core = core;
    this.owner = ColumnAccess.isOpen(region) ? ScannerOwner.ANYBODY : ScannerOwner.current();
  }

  /**
   * Checks who calls.
   *
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if it is not the owner
   */
  public final void checkOwner() throws IOException {
    owner.check();
  }

  /**
   * Ends the scan with a refusal, which clients are told as they understand it.
   *
   * @return false: nothing follows
   * @throws IOException the refusal, if the client does not know of such cells
   */
  static boolean refuse(IOException refusal, Scan scan, List<Cell> out, ScannerContext context)
      throws IOException {
    Optional<Cell> answer = Refusal.answer(refusal, scan, scan.getStartRow());
    if (answer.isEmpty()) {
      throw refusal;
    }
    out.add(answer.get());
    SpyhopAccess.countRow(context, out);
    return SpyhopAccess.setMore(context, false);
  }

  /**
   * Lets go of the blocks behind cells that were handed out, and are not needed any more; for who
   * takes more rows than HBase sends in a call.
   */
  void letGo() throws IOException {
    letGo(core);
  }

  /** The same of any scanner that knows of it. */
  static void letGo(RegionScanner scanner) throws IOException {
    if (scanner instanceof OwnedScanner ours) {
      ours.letGo();
    } else if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  /** As {@link #nextRaw(List, ScannerContext)}, for the owner. */
  abstract boolean serve(List<Cell> out, ScannerContext context) throws IOException;

  /**
   * {@inheritDoc}
   *
   * <p>What the call reads for it without the context counts there, too: users' quotas are also a
   * limit of the context.
   */
  @Override
  public final synchronized boolean nextRaw(List<Cell> out, ScannerContext context)
      throws IOException {
    checkOwner();
    long call = SpyhopAccess.blockBytesOfCall();
    long known = SpyhopAccess.blockBytes(context);
    try {
      return serve(out, context);
    } finally {
      long more = SpyhopAccess.blockBytesOfCall() - call;
      SpyhopAccess.addBlockBytes(context, more - (SpyhopAccess.blockBytes(context) - known));
    }
  }

  @Override
  public final boolean nextRaw(List<Cell> out) throws IOException {
    return nextRaw(out, NoLimitScannerContext.getInstance());
  }

  @Override
  public final boolean next(List<Cell> out) throws IOException {
    return nextRaw(out);
  }

  @Override
  public final boolean next(List<Cell> out, ScannerContext context) throws IOException {
    return nextRaw(out, context);
  }

  @Override
  public RegionInfo getRegionInfo() {
    return core.getRegionInfo();
  }

  @Override
  public long getMaxResultSize() {
    return core.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return core.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return core.getBatch();
  }

  @Override
  public String getOperationId() {
    return core.getOperationId();
  }
}
