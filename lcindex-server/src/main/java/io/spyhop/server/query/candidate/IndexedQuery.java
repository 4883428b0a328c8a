package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.ReadSettings;
import io.spyhop.server.index.local.RecordRequest;
import io.spyhop.server.index.local.RowSink;
import io.spyhop.server.index.memstore.MemstoreIndex;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.query.plan.ScanPredicate;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * A scan that an index answers in one region.
 *
 * @param region the region
 * @param store the store of the driving column
 * @param scan what is asked
 * @param question what its filter asks for
 * @param driving the index that gives the candidates
 * @param sink takes rows that need not be read; empty if all are
 */
public record IndexedQuery(
    HRegion region,
    HStore store,
    Scan scan,
    ScanPredicate question,
    IndexDefinition driving,
    Optional<RowSink> sink) {

  /** The same for the rows behind one. */
  public IndexedQuery after(byte[] row) throws IOException {
    Scan rest = new Scan(scan).withStartRow(row, false);
    return new IndexedQuery(region, store, rest, question, driving, sink);
  }

  /** The same with rows taken by a sink, or by none. */
  public IndexedQuery into(Optional<RowSink> taker) {
    return new IndexedQuery(region, store, scan, question, driving, taker);
  }

  /** What records and cells are judged by. */
  BoundPredicate predicate() {
    return question.predicate();
  }

  /** The keys of the driving index that rows in the answer can have. */
  public KeyRanges keys() {
    return question.keys(driving).orElseThrow();
  }

  /**
   * What a row must pass that is read again: the scan's own filter, as those of security cannot be
   * copied. The region's own scanner has the same instance, and does not move any more once rows
   * are read again.
   */
  Filter filter() {
    return scan.getFilter();
  }

  /** Whether the driving index has the columnar layout. */
  boolean isColumnar() {
    return driving.local().layout() == Layout.COLUMNAR;
  }

  /** Other indexes whose files say which rows of an HFile match; none but of columnar layouts. */
  List<IndexDefinition> narrowing(IndexSchema schema) {
    if (!isColumnar()) {
      return List.of();
    }
    return schema.indexes().stream()
        .filter(d -> !d.equals(driving) && d.local().layout() == Layout.COLUMNAR)
        .filter(d -> Arrays.equals(d.column().family(), driving.column().family()))
        .filter(d -> isAskedFor(new BoundColumn(d.column(), d.type())))
        .toList();
  }

  private boolean isAskedFor(BoundColumn column) {
    return predicate().columns().contains(column)
        || sink.isPresent() && sink.get().columns().contains(column);
  }

  /** The memstore's rows by value, where the driving index has the columnar layout. */
  Optional<MemstoreIndex> memstoreIndex(RegionStatistics statistics) {
    return isColumnar()
        ? statistics.memstoreIndex(store).filter(i -> i.has(driven()))
        : Optional.empty();
  }

  /** The driving column. */
  BoundColumn driven() {
    return new BoundColumn(driving.column(), driving.type());
  }

  /** The driving column's position in the predicate. */
  int drivingColumn() {
    return predicate().columnOf(driving.column());
  }

  /** The selected qualifiers of the driving family; null or empty for all. */
  NavigableSet<byte[]> qualifiers() {
    return scan.getFamilyMap().get(driving.column().family());
  }

  /**
   * What is read of an HFile's index files.
   *
   * @param narrowing what else says which rows match
   */
  RecordRequest records(
      KeyRanges wanted, FileSource file, Optional<RecordRequest.Narrowing> narrowing) {
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    if (file.isReference()) {
      byte[] first = region.getRegionInfo().getStartKey();
      byte[] end = region.getRegionInfo().getEndKey();
      start = Bytes.compareTo(start, first) < 0 ? first : start;
      boolean endsLater = stop.length == 0 || Bytes.compareTo(stop, end) > 0;
      stop = end.length > 0 && endsLater ? end : stop;
    }
    return new RecordRequest(
        wanted,
        predicate(),
        qualifiers(),
        start,
        stop,
        file.reader(),
        file.rows(),
        narrowing,
        sink,
        Math.min(scan.getMaxVersions(), store.getColumnFamilyDescriptor().getMaxVersions()) == 1,
        reading(file));
  }

  /** How an HFile and its index files are read. */
  ReadSettings reading(FileSource file) {
    return new ReadSettings(
        store.getCacheConfig(),
        file.recent(),
        SpyhopAccess.configuration(store),
        scan.getCacheBlocks());
  }

  /** Whether the scan selects the driving family alone, so that its records can hold whole rows. */
  boolean isSingleFamily() {
    return scan.getFamilyMap().size() == 1;
  }

  /** Whether the predicate reads the driving family alone, whatever else is selected. */
  boolean isOfOneFamily() {
    return predicate().columns().stream()
        .allMatch(c -> Arrays.equals(c.name().family(), driving.column().family()));
  }

  /** Whether a record holds every cell that the predicate reads, so that it can be judged by it. */
  boolean recordsHoldPredicate() {
    return predicate().columns().stream().allMatch(c -> driving.stores(c.name()));
  }

  /** Whether a record holds every cell that the scan selects, so that it can be the answer. */
  boolean recordsHoldSelection() {
    if (!isSingleFamily()) {
      return false;
    }
    if (driving.local().include().isEmpty()) {
      return true;
    }
    byte[] family = driving.column().family();
    NavigableSet<byte[]> selected = qualifiers();
    return selected != null
        && !selected.isEmpty()
        && selected.stream().allMatch(q -> driving.stores(ColumnName.of(family, q)));
  }

  /** Whether a cell of that time may have outlived the store's current TTL (correctness rule 2). */
  boolean mayBeExpired(long timestamp) {
    long ttl = store.getScanInfo().getTtl();
    return ttl != Long.MAX_VALUE && timestamp <= EnvironmentEdgeManager.currentTime() - ttl;
  }

  /** Whether a row lies between the scan's start and stop row. */
  public boolean isInRange(byte[] b, int off, int len) {
    return !isBeforeStart(b, off, len) && !isPastStop(b, off, len);
  }

  private boolean isBeforeStart(byte[] b, int off, int len) {
    byte[] start = scan.getStartRow();
    if (start.length == 0) {
      return false;
    }
    int c = Bytes.compareTo(b, off, len, start, 0, start.length);
    return c < 0 || c == 0 && !scan.includeStartRow();
  }

  /** Whether a row lies in the region; a split parent's records go beyond. */
  public boolean isInRegion(byte[] b, int off, int len) {
    return HRegion.rowIsInRange(region.getRegionInfo(), b, off, (short) len);
  }

  /** Whether a row lies after the scan's last row. */
  boolean isPastStop(byte[] b, int off, int len) {
    byte[] stop = scan.getStopRow();
    if (stop.length == 0) {
      return false;
    }
    int c = Bytes.compareTo(b, off, len, stop, 0, stop.length);
    return c > 0 || c == 0 && !scan.includeStopRow();
  }
}
