package io.spyhop.client.internal.query;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.prune.Prunability;
import io.spyhop.client.internal.prune.PrunableScan;
import io.spyhop.client.internal.prune.PrunedQuery;
import io.spyhop.client.internal.prune.PrunedRows;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.prune.ScanState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A scan that a user made, of which regions are left out where that is known to be right.
 *
 * @param scan nobody changes it before its rows have been read
 */
record OwnScan(TableContext table, Scan scan, TableSchema schema, Consistency consistency) {
  /** Opens it; where nothing may be left out, it runs as it is. */
  ResultScanner open() throws IOException {
    Optional<BoundPredicate> predicate =
        PrunableScan.predicate(scan)
            .filter(p -> table.mayPrune() && Prunability.canPrune(p, schema.indexes()));
    return predicate.isPresent()
        ? pruned(predicate.get())
        : TableScanner.open(table.connection(), table.name(), scan);
  }

  private ResultScanner pruned(BoundPredicate predicate) throws IOException {
    PrunedQuery question =
        new PrunedQuery(predicate, families(), RowRanges.of(PrunableScan.range(scan)), consistency);
    Scan asked = new Scan(scan);
    PrunedRows.Reader reader =
        (parts, states, demand, now) -> {
          RowSource.Opener opener = part -> open(asked, part, states.apply(part));
          return RowStream.of(parts, opener, table.pool(), demand, now);
        };
    long limit = scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE;
    ReadDemand all = new ReadDemand(limit, caching());
    return new RowScanner(new PrunedRows(table.pruning(), question, reader, all), limit);
  }

  private RowSource open(Scan whole, RowRange part, ScanState state) throws IOException {
    PredicateFilter filter = (PredicateFilter) whole.getFilter();
    Scan some =
        new Scan(whole)
            .withStartRow(part.start(), true)
            .withStopRow(part.stop(), false)
            .setFilter(new PredicateFilter(filter.predicate()))
            .setAttribute(Attributes.SCAN_STATE, Bytes.toBytes(state.name()));
    return table.open(table.paged(some), row -> row);
  }

  private int caching() {
    return scan.getCaching() > 0
        ? scan.getCaching()
        : table
            .conf()
            .getInt(
                HConstants.HBASE_CLIENT_SCANNER_CACHING,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING);
  }

  private List<byte[]> families() {
    return scan.hasFamilies()
        ? List.of(scan.getFamilies())
        : schema.families().stream().map(Bytes::toBytesBinary).toList();
  }
}
