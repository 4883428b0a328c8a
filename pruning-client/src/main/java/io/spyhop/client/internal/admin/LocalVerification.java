package io.spyhop.client.internal.admin;

import io.spyhop.client.VerifyReport;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.Predicates.ColumnExpression;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks for all rows with a value, through a local index and by the plain scan, and compares the
 * answers cell by cell. Not thread-safe.
 *
 * <p>It holds the hashes of so many rows at a time. Rows that differ, as writes go on, are asked
 * for again both ways, one by one.
 */
public final class LocalVerification {
  private static final int PAGE = 50_000;
  private static final long PAGE_BYTES = 8 << 20;
  private static final int CACHING = 1_000;
  private static final int TRIES = 5;

  private final Connection connection;
  private final TableName table;
  private final IndexDefinition index;
  private final RegionCalls regions;
  private final Tally tally;
  private BoundPredicate anyValue;

  /** Of one index. */
  public LocalVerification(Connection connection, TableName table, IndexDefinition index) {
    this.connection = connection;
    this.table = table;
    this.index = index;
    this.regions = new RegionCalls(connection);
    this.tally = new Tally(index);
  }

  /** Reads the whole table, as often as pages fit it through the index. */
  public VerifyReport run() throws IOException {
    try (Table t = connection.getTable(table)) {
      Optional<Object> some = someValue(t);
      if (some.isPresent()) {
        anyValue = anyValue(some.get());
        for (HRegionLocation region : TableInfo.regions(connection, table)) {
          verify(t, region);
        }
      }
    }
    return tally.report();
  }

  /** A value of the index's type; without one there is nothing to be found. */
  private Optional<Object> someValue(Table t) throws IOException {
    try (ResultScanner rows =
        t.getScanner(new Scan().addFamily(index.column().family()).setCaching(CACHING))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        Cell c = row.getColumnLatestCell(index.column().family(), index.column().qualifier());
        if (c != null) {
          Object value =
              index
                  .type()
                  .codec()
                  .decode(c.getValueArray(), c.getValueOffset(), c.getValueLength());
          if (value != null) {
            return Optional.of(value);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** True of every row with a value, in a form that an index can drive. */
  private BoundPredicate anyValue(Object value) {
    ColumnExpression column = Predicates.column(index.column().toString(), index.type());
    String family = Bytes.toStringBinary(index.column().family());
    return Binder.bind(
        column.lt(value).or(column.ge(value)),
        new SchemaResolver(
            table.getNameAsString(), IndexSchema.of(List.of(index)), List.of(family)));
  }

  private Scan scan(String path) {
    return new Scan()
        .addFamily(index.column().family())
        .setFilter(new PredicateFilter(anyValue))
        .setCaching(CACHING)
        .setAttribute(Attributes.PATH_HINT, path.getBytes(StandardCharsets.UTF_8));
  }

  private void verify(Table t, HRegionLocation region) throws IOException {
    RegionInfo info = region.getRegion();
    byte[] from = info.getStartKey();
    Scan plain = scan(Attributes.PATH_SCAN).withStartRow(from).withStopRow(info.getEndKey());
    NavigableMap<byte[], Integer> page = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    long bytes = 0;
    try (ResultScanner rows = t.getScanner(plain)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        page.put(row.getRow(), hash(row));
        bytes += row.getRow().length;
        if (page.size() >= PAGE || bytes >= PAGE_BYTES) {
          byte[] next = Arrays.copyOf(row.getRow(), row.getRow().length + 1);
          compare(t, region, page, from, next);
          from = next;
          page.clear();
          bytes = 0;
        }
      }
    }
    compare(t, region, page, from, info.getEndKey());
  }

  private static int hash(Result row) {
    int hash = row.size();
    for (Cell c : row.rawCells()) {
      hash = 31 * hash + Arrays.hashCode(CellUtil.cloneQualifier(c));
      hash = 31 * hash + Long.hashCode(c.getTimestamp());
      hash = 31 * hash + Arrays.hashCode(CellUtil.cloneValue(c));
    }
    return hash;
  }

  private void compare(
      Table t, HRegionLocation region, NavigableMap<byte[], Integer> plain, byte[] from, byte[] to)
      throws IOException {
    byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    Scan scan = scan(index.name()).withStartRow(from).withStopRow(to);
    List<byte[]> different = new ArrayList<>();
    NavigableMap<byte[], Integer> left = new TreeMap<>(plain);
    try (ResultScanner rows = t.getScanner(scan.setAttribute(Attributes.QUERY_ID, id))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        tally.answered(1);
        Integer expected = left.remove(row.getRow());
        if (expected == null || expected != hash(row)) {
          different.add(row.getRow());
        }
      }
    }
    different.addAll(left.keySet());
    tally.compared(plain.size());
    if (!wentThrough(region, id)) {
      tally.unchecked(plain.size());
    }
    for (byte[] row : different) {
      difference(t, row).ifPresent(tally::missing);
    }
  }

  /** Whether the region says that the index answered, to the end. */
  private boolean wentThrough(HRegionLocation region, byte[] id) throws IOException {
    return regions
        .ask(
            table,
            List.of(region),
            new RegionRequest(RegionRequest.Kind.REPORT, id),
            RegionPlan::decode)
        .get(0)
        .answer()
        .filter(p -> p.path() == RegionPlan.Path.LOCAL_INDEX && p.driving().equals(index.name()))
        .flatMap(RegionPlan::actual)
        .filter(a -> a.fallback().isEmpty())
        .isPresent();
  }

  /** A cell of the row if it is one thing through the index and another without, all the time. */
  private Optional<Cell> difference(Table t, byte[] row) throws IOException {
    Optional<Cell> cell = Optional.empty();
    for (int i = 0; i < TRIES; i++) {
      Optional<Result> before = one(t, Attributes.PATH_SCAN, row);
      Optional<Result> through = one(t, index.name(), row);
      Optional<Result> after = one(t, Attributes.PATH_SCAN, row);
      if (same(through, before) || same(through, after)) {
        return Optional.empty();
      }
      boolean quiet = same(before, after);
      cell = quiet ? before.or(() -> through).map(r -> r.rawCells()[0]) : Optional.empty();
    }
    return cell;
  }

  private static boolean same(Optional<Result> a, Optional<Result> b) {
    return a.map(LocalVerification::hash).equals(b.map(LocalVerification::hash));
  }

  private Optional<Result> one(Table t, String path, byte[] row) throws IOException {
    Scan scan = scan(path).withStartRow(row, true).withStopRow(row, true);
    try (ResultScanner rows = t.getScanner(scan)) {
      return Optional.ofNullable(rows.next());
    }
  }
}
