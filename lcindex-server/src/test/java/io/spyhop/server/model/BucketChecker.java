package io.spyhop.server.model;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowOrder;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.exec.SortedRows;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks a bucketed table for its rows by their keys and as they come, by queries and by scans, and
 * compares with what a plain client finds in it, whose rows it takes apart by itself.
 */
final class BucketChecker implements AutoCloseable {
  private static final List<byte[]> EVERYTHING = List.of(new byte[0], new byte[0]);

  private final ModelTable model;
  private final List<Client> clients = new ArrayList<>();
  private long compared;
  private long rows;

  /** One sorts what it can hold, the other nothing, so that it merges the runs of prefixes. */
  private record Client(
      String name, Connection connection, Spyhop spyhop, BucketedTable table, IndexedTable asked)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      table.close();
      spyhop.close();
      connection.close();
    }
  }

  BucketChecker(ModelTable model) throws IOException {
    this.model = model;
    if (model.hasBuckets()) {
      clients.add(client("sorting", 1 << 20));
      clients.add(client("merging", 0));
    }
  }

  private Client client(String name, long bytes) throws IOException {
    Configuration conf = GlobalIndexes.clientConfiguration(model.cluster());
    conf.setLong(SortedRows.BYTES, bytes);
    Connection connection = ConnectionFactory.createConnection(conf);
    Spyhop spyhop = Spyhop.connect(connection);
    return new Client(
        name, connection, spyhop, spyhop.bucketed(model.name()), spyhop.table(model.name()));
  }

  /** A table that changes by itself has no answer that two ways could be compared by. */
  void check(Random r) throws IOException {
    if (clients.isEmpty() || model.isRestless()) {
      return;
    }
    Client client = clients.get(r.nextInt(clients.size()));
    client.connection.clearRegionLocationCache();
    Predicate predicate = RandomPredicates.draw(r);
    query(r, client, r.nextInt(5) == 0 ? Optional.empty() : Optional.of(predicate));
    boolean all = r.nextInt(3) == 0;
    scan(
        r,
        client,
        all ? Optional.empty() : Optional.of(Binder.bind(predicate, Checker.resolver())));
  }

  private void query(Random r, Client client, Optional<Predicate> predicate) throws IOException {
    Optional<BoundPredicate> bound = predicate.map(p -> Binder.bind(p, Checker.resolver()));
    List<byte[]> range = r.nextInt(3) == 0 ? range(r) : EVERYTHING;
    NavigableMap<byte[], List<String>> plain = plain(bound.map(PredicateFilter::new), range);
    Query query =
        predicate
            .map(p -> ParameterQueries.where(RandomPredicates.typed(p)))
            .orElseGet(Query::all)
            .range(range.get(0), range.get(1))
            .caching(1 + r.nextInt(5))
            .hint(RandomReads.hint(r));
    int limit = limit(r);
    Query limited = limit == Integer.MAX_VALUE ? query : query.limit(limit);
    for (RowOrder order : RowOrder.values()) {
      Query asked = limited.rowOrder(order);
      compare(client + " " + asked, plain, read(client.asked.query(asked)), order, limit);
    }
  }

  /** More than a region's share of the first rows and what it is asked for beside, now and then. */
  private static int limit(Random r) {
    return r.nextBoolean() ? 1 + r.nextInt(r.nextBoolean() ? 6 : 30) : Integer.MAX_VALUE;
  }

  /** Of several rows, of one, or of none. */
  private static List<byte[]> range(Random r) {
    if (r.nextInt(16) == 0) {
      return List.of(new byte[0], new byte[] {0});
    }
    List<byte[]> range = RandomScans.range(r);
    byte[] first = range.get(0);
    return r.nextInt(4) == 0 && first.length > 0
        ? List.of(first, Arrays.copyOf(first, first.length + 1))
        : range;
  }

  /** Filters of HBase that a region asks about the rows of one prefix alone, and others. */
  private static Optional<Filter> filter(Random r, Optional<BoundPredicate> bound) {
    if (r.nextInt(4) > 0) {
      return bound.map(PredicateFilter::new);
    }
    Filter some = r.nextBoolean() ? new ColumnPaginationFilter(2, 0) : new FirstKeyOnlyFilter();
    return Optional.of(
        bound.<Filter>map(b -> new FilterList(new PredicateFilter(b), some)).orElse(some));
  }

  private void scan(Random r, Client client, Optional<BoundPredicate> bound) throws IOException {
    List<byte[]> range = r.nextBoolean() ? range(r) : EVERYTHING;
    Optional<Filter> filter = filter(r, bound);
    boolean reversed = r.nextInt(4) == 0;
    Scan scan = new Scan().setReversed(reversed);
    filter.ifPresent(scan::setFilter);
    byte[] first = range.get(reversed ? 1 : 0);
    scan.withStartRow(first, !reversed || first.length == 0);
    scan.withStopRow(range.get(reversed ? 0 : 1), reversed);
    NavigableMap<byte[], List<String>> plain = plain(filter, range);
    int limit = limit(r);
    if (limit < Integer.MAX_VALUE) {
      scan.setLimit(limit);
    }
    if (r.nextBoolean()) {
      scan.setCaching(1 + r.nextInt(4));
    }
    if (r.nextInt(4) == 0) {
      scan.setMaxResultSize(1 + r.nextInt(2_000));
    }
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_INDEX));
    for (RowOrder order : RowOrder.values()) {
      List<Map.Entry<byte[], List<String>>> found = read(client.table.getScanner(scan, order));
      compare(
          client + " " + order + " " + scan,
          reversed ? plain.descendingMap() : plain,
          found,
          order,
          limit);
    }
  }

  private void compare(
      String asked,
      NavigableMap<byte[], List<String>> plain,
      List<Map.Entry<byte[], List<String>>> found,
      RowOrder order,
      int limit) {
    List<String> all = lines(List.copyOf(plain.entrySet()));
    List<String> lines = lines(found);
    int most = Math.min(limit, all.size());
    boolean agree =
        order == RowOrder.KEY
            ? lines.equals(all.subList(0, most))
            : lines.size() == most
                && lines.stream().distinct().count() == most
                && all.containsAll(lines);
    compared++;
    rows += most;
    if (!agree) {
      throw new AssertionError(
          asked
              + "\nstored rows:\n  "
              + String.join("\n  ", all)
              + "\nof the bucketed table:\n  "
              + String.join("\n  ", lines));
    }
  }

  /** What a client that knows of no buckets finds, by the keys behind the prefixes. */
  private NavigableMap<byte[], List<String>> plain(
      Optional<? extends Filter> filter, List<byte[]> range) throws IOException {
    NavigableMap<byte[], List<String>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Scan scan =
        Checker.byFiles(new Scan())
            .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    filter.ifPresent(scan::setFilter);
    try (ResultScanner scanner = model.stored().getScanner(scan)) {
      for (Result row : scanner) {
        byte[] stored = row.getRow();
        byte[] key = Arrays.copyOfRange(stored, BucketOptions.WIDTH, stored.length);
        boolean asked =
            Bytes.compareTo(key, range.get(0)) >= 0
                && (range.get(1).length == 0 || Bytes.compareTo(key, range.get(1)) < 0);
        if (asked) {
          found.put(key, cells(row));
        }
      }
    }
    return found;
  }

  private static List<Map.Entry<byte[], List<String>>> read(Iterable<Result> rows)
      throws IOException {
    List<Map.Entry<byte[], List<String>>> found = new ArrayList<>();
    try (AutoCloseable scanner = (AutoCloseable) rows) {
      rows.forEach(row -> found.add(Map.entry(row.getRow(), cells(row))));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    return found;
  }

  private static List<String> cells(Result row) {
    return Arrays.stream(row.rawCells()).map(BucketChecker::text).toList();
  }

  static String text(Cell c) {
    return Bytes.toString(CellUtil.cloneFamily(c))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(c))
        + "/"
        + c.getTimestamp()
        + "="
        + Checker.value(c);
  }

  private static List<String> lines(List<Map.Entry<byte[], List<String>>> rows) {
    return rows.stream().map(e -> Bytes.toStringBinary(e.getKey()) + " " + e.getValue()).toList();
  }

  @Override
  public String toString() {
    return compared + " answers of buckets compared, " + rows + " rows";
  }

  /** Rows of all answers, so that a check of nothing is noticed. */
  long rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.close();
    }
  }
}
