package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.Refusal;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** Hands out the refusal of a scan, and no rows. Thread-safe as HBase's own. */
public final class RefusedScanner extends OwnedScanner {
  private final IOException refusal;
  private final Scan scan;

  private RefusedScanner(HRegion region, IOException refusal, Scan scan, RegionScanner core)
      throws IOException {
    super(region, core);
    this.refusal = refusal;
    this.scan = scan;
  }

  /**
   * The scanner of a scan that is not answered.
   *
   * @param failure why it is not
   * @throws IOException the failure, if it is no refusal or the client does not know of such cells
   */
  public static RegionScanner of(HRegion region, IOException failure, Scan scan, RegionScanner core)
      throws IOException {
    if (Refusal.answer(failure, scan, scan.getStartRow()).isEmpty()) {
      throw failure;
    }
    return new RefusedScanner(region, failure, scan, core);
  }

  @Override
  boolean serve(List<Cell> out, ScannerContext context) throws IOException {
    return refuse(refusal, scan, out, context);
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    throw new DoNotRetryIOException("a scan that was refused cannot seek a row");
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public synchronized void close() throws IOException {
    core.close();
  }
}
