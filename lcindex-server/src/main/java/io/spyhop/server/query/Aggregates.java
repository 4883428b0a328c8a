package io.spyhop.server.query;

import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.ScanSettings;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.query.plan.Declarations;
import io.spyhop.server.query.plan.ScanChecks;
import io.spyhop.server.query.scan.AggregateScanner;
import io.spyhop.server.query.scan.QueryRegion;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Answers scans that ask for an aggregate of their rows (docs/decisions/0062). Where the rows that
 * the region's scanner hands out may not be those that the caller gets, as another coprocessor may
 * take some out afterwards, or the scan is not of whole rows in ascending order, the caller gets
 * the rows and counts by itself. Thread-safe.
 *
 * @param region whose scans these are
 */
public record Aggregates(QueryRegion region) {
  /**
   * Opens the scanner of a scan.
   *
   * @param core the region's own
   * @param rows opens the scanner that answers the scan
   * @throws DoNotRetryIOException if the scan's attribute is no aggregate
   * @throws io.spyhop.core.protocol.DefinitionsChangedException if it is bound by old definitions
   */
  public RegionScanner open(
      Scan scan, RegionScanner core, Declarations declarations, IoSupplier<RegionScanner> rows)
      throws IOException {
    byte[] asked = scan.getAttribute(Attributes.AGGREGATE);
    if (asked == null) {
      return rows.get();
    }
    AggregateRequest request = request(asked);
    checkDeclared(request, declarations);
    if (!mayAggregate(scan, core) || !selectsAll(scan, request)) {
      return rows.get();
    }
    RegionScanner answer = rows.get();
    region.metrics().aggregatedScans.increment();
    return new AggregateScanner(region.region(), request, region.newMemory(), answer);
  }

  /** Whether the region counts a scan's rows, by nothing but columns with columnar indexes. */
  boolean isByColumns(Scan scan, RegionScanner core) throws DoNotRetryIOException {
    byte[] asked = scan.getAttribute(Attributes.AGGREGATE);
    if (asked == null || !mayAggregate(scan, core)) {
      return false;
    }
    AggregateRequest request = request(asked);
    List<BoundColumn> columns =
        region.indexes().schema().indexes().stream()
            .filter(d -> d.local().layout() == Layout.COLUMNAR)
            .map(d -> new BoundColumn(d.column(), d.type()))
            .toList();
    return selectsAll(scan, request) && columns.containsAll(request.columns());
  }

  private static AggregateRequest request(byte[] asked) throws DoNotRetryIOException {
    try {
      return AggregateRequest.decode(asked);
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException(
          "attribute '" + Attributes.AGGREGATE + "' is no aggregate", e);
    }
  }

  private void checkDeclared(AggregateRequest request, Declarations declarations)
      throws IOException {
    byte[] flags = new byte[request.columns().size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = (byte) (request.declared().get(i) ? 1 : 0);
    }
    ScanChecks.checkDeclared(region.table(), flags, request.columns(), declarations);
  }

  /** A column that is not selected has no value in rows that are read. */
  private static boolean selectsAll(Scan scan, AggregateRequest request) {
    return request.columns().stream().allMatch(c -> ScanSettings.selects(scan, c));
  }

  private boolean mayAggregate(Scan scan, RegionScanner core) {
    return ScanSettings.unusual(scan).isEmpty()
        && scan.getAttribute(Attributes.LIMIT) == null
        && !(scan.getFilter() instanceof KeyOrderFilter)
        && !ScanFilter.asksForOrder(scan.getFilter())
        && SpyhopAccess.isRegionsOwn(core)
        && !ForeignObservers.watch(region.region());
  }
}
