package io.spyhop.server.hook;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Runs a scan for few rows within the call that asks for them, for callers who may read the whole
 * table. What takes long ends early, and the client goes on with an ordinary scan. Stateless.
 */
final class SmallScan {
  private static final int MOST_ROWS = 1_000;
  private static final long MOST_BYTES = 256 << 10;

  /** Of a call for all of its regions, where the client does not say. */
  private static final long MOST_MILLIS = 200;

  private static final long LONGEST_MILLIS = 60_000;

  /** Observers that see to it that a scan is opened, and nothing of its rows. */
  private static final List<String> KNOWN =
      List.of("io.spyhop.", "org.apache.hadoop.hbase.security.");

  private SmallScan() {}

  /**
   * Answers a question of kind {@link RegionRequest.Kind#ROWS}.
   *
   * @throws IOException what the scan throws, its refusals included
   */
  static FirstRows run(HRegion region, RegionRequest request) throws IOException {
    Scan scan = FirstRows.scan(request.payload());
    if (scan.isReversed() || scan.getLimit() <= 0 || scan.getLimit() > MOST_ROWS) {
      throw new DoNotRetryIOException("a small scan of " + scan.getLimit() + " rows, or reversed");
    }
    long millis = leftMillis(scan);
    if (millis <= 0) {
      return new FirstRows(List.of(), false);
    }
    RegionCoprocessorHost host = region.getCoprocessorHost();
    for (RegionCoprocessor loaded : host.findCoprocessors(RegionCoprocessor.class)) {
      String name = loaded.getClass().getName();
      if (loaded.getRegionObserver().isPresent() && KNOWN.stream().noneMatch(name::startsWith)) {
        return new FirstRows(List.of(), false); // it may change what scans show
      }
    }
    host.preScannerOpen(scan);
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      return read(region, host, scan, SpyhopAccess.timeOf(millis));
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  /** A call asks regions one after the other, and clients scan those that it has no time for. */
  private static long leftMillis(Scan scan) throws DoNotRetryIOException {
    long now = EnvironmentEdgeManager.currentTime();
    long since = now - RpcServer.getCurrentCall().map(RpcCall::getStartTime).orElse(now);
    return Math.min(LONGEST_MILLIS, mostMillis(scan)) - since;
  }

  private static long mostMillis(Scan scan) throws DoNotRetryIOException {
    byte[] most = scan.getAttribute(Attributes.MOST_MILLIS);
    try {
      return most == null ? MOST_MILLIS : DecimalNumber.decode(most);
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException("the time for a small scan: " + e.getMessage(), e);
    }
  }

  /** The region stays open meanwhile. */
  private static FirstRows read(
      HRegion region, RegionCoprocessorHost host, Scan scan, ScannerContext time)
      throws IOException {
    RegionScanner core = region.getScanner(scan);
    RegionScanner opened = null;
    try {
      opened = host.postScannerOpen(scan, core);
      FirstRows rows = read(opened, scan, time);
      return new FirstRows(rows.rows(), rows.whole() && isWithin(region.getRegionInfo(), scan));
    } finally {
      (opened == null ? core : opened).close();
    }
  }

  /** Whether it has no rows of later regions: the region may have been split since it was asked. */
  private static boolean isWithin(RegionInfo region, Scan scan) {
    byte[] end = region.getEndKey();
    byte[] stop = scan.getStopRow();
    int most = scan.includeStopRow() ? -1 : 0;
    return end.length == 0 || stop.length > 0 && Bytes.compareTo(stop, end) <= most;
  }

  /**
   * A row for which there is no room is left to the client's scan. As many rows as are asked for
   * may not be all: a scanner that sorts rows keeps no more.
   */
  private static FirstRows read(RegionScanner from, Scan scan, ScannerContext time)
      throws IOException {
    long most = scan.getMaxResultSize();
    long room = most > 0 ? Math.min(most, MOST_BYTES) : MOST_BYTES;
    List<List<Cell>> rows = new ArrayList<>();
    boolean more = true;
    while (more && rows.size() < scan.getLimit() && !SpyhopAccess.isTimeUp(time)) {
      List<Cell> row = new ArrayList<>();
      more = from.nextRaw(row, time);
      for (Cell cell : row) {
        room -= PrivateCellUtil.estimatedSerializedSizeOf(cell);
      }
      if (room < 0) {
        return new FirstRows(rows, false);
      }
      if (!row.isEmpty()) {
        Refusal.checked(Result.create(row));
        row.replaceAll(KeyValueUtil::copyToNewKeyValue); // its blocks may go with the next row
        rows.add(row);
      }
    }
    return new FirstRows(rows, !more && rows.size() < scan.getLimit());
  }
}
