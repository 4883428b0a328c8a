package io.spyhop.server.model;

import io.spyhop.client.AsyncIndexedTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks for rows in the order of values, in both directions, with limits and going on behind rows,
 * and compares with the plain scan, sorted.
 */
final class OrderChecker implements AutoCloseable {
  private final ModelTable model;
  private final Spyhop spyhop;
  private final List<Client> clients = new ArrayList<>();
  private final PageChecker paged;
  private final QueryWays ways = new QueryWays();
  private long compared;
  private long inOrder;
  private long refused;
  private long resumed;

  /** A client that asks. */
  record Client(
      String name, IndexedTable indexed, AsyncIndexedTable async, Table table, Table stored) {}

  OrderChecker(ModelTable model) throws IOException {
    this.model = model;
    this.spyhop = Spyhop.connect(model.cluster().connection());
    this.paged = new PageChecker(model);
    clients.add(client("", spyhop, model.table(), model.stored()));
    model
        .security()
        .ifPresent(
            s ->
                clients.add(client("as a user ", s.usersSpyhop(), s.usersTable(), s.usersTable())));
  }

  private Client client(String name, Spyhop of, Table table, Table stored) {
    return new Client(
        name, of.table(model.name()), of.asyncTable(model.name(), ways.executor()), table, stored);
  }

  void check(Random r) throws IOException {
    Column column = Column.values()[r.nextInt(Column.values().length)];
    Query query = draw(r, column);
    Scan like = RandomReads.draw(r);
    Query read = query.readLike(like);
    if (r.nextInt(4) == 0) {
      List<byte[]> range = RandomScans.range(r);
      read = read.range(range.get(0), range.get(1));
      like.withStartRow(range.get(0)).withStopRow(range.get(1));
    }
    Binder.Valued valued =
        Binder.bindValued(
            query.predicate().orElse(null),
            new ColumnRef(column.text(), column.type()),
            Checker.resolver());
    boolean descending = query.order().orElseThrow().direction() == Order.DESC;
    ValueOrder order = new ValueOrder(valued.column(), descending);
    for (Client client : clients) {
      asQuery(r.nextLong(), client, read, like, valued.predicate(), order);
      asRegions(r, client, valued.predicate(), order);
    }
    paged.check(r, clients.get(r.nextInt(clients.size())), query, valued.predicate(), order);
  }

  private static Query draw(Random r, Column column) {
    Query asked =
        r.nextInt(4) == 0
            ? Query.all()
            : ParameterQueries.where(RandomPredicates.typed(RandomPredicates.draw(r)));
    String by = "CAST(\"" + column.text() + "\" AS " + column.type() + ")";
    Query query =
        asked
            .orderBy(by, r.nextBoolean() ? Order.ASC : Order.DESC)
            .caching(1 + r.nextInt(5))
            .hint(RandomReads.hint(r))
            .pruning(r.nextBoolean());
    return r.nextBoolean() ? query.limit(1 + r.nextInt(10)) : query;
  }

  private void asQuery(
      long seed, Client client, Query query, Scan like, BoundPredicate predicate, ValueOrder order)
      throws IOException {
    int limit = query.limit().orElse(Integer.MAX_VALUE);
    Answers answers =
        Answers.of(
            model.isRestless(),
            orDenied(() -> sorted(client, like, predicate, order, limit)),
            () -> orDenied(() -> sorted(client, like, predicate, order, limit)),
            () -> orDenied(() -> lines(ways.rows(seed, client.indexed, client.async, query))));
    compared++;
    requireAgreement(client + " " + query, answers);
  }

  /** A refusal is an answer, too. */
  static List<String> orDenied(Answers.Asking asking) throws IOException {
    try {
      return asking.ask();
    } catch (AccessDeniedException e) {
      return List.of(e.getClass().getName());
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof AccessDeniedException) {
        return List.of(AccessDeniedException.class.getName());
      }
      throw e;
    }
  }

  /** Each region alone, from its beginning and from behind one of its rows. */
  private void asRegions(Random r, Client client, BoundPredicate predicate, ValueOrder order)
      throws IOException {
    for (RegionInfo region : model.regions()) {
      List<Result> expected;
      try {
        expected = sorted(client.stored, of(region), predicate, order);
      } catch (AccessDeniedException e) {
        continue; // as a query, it was refused alike
      }
      Optional<ValuePosition> after =
          expected.isEmpty() || r.nextInt(4) == 0
              ? Optional.empty()
              : order.position(Arrays.asList(expected.get(r.nextInt(expected.size())).rawCells()));
      try {
        Answers answers =
            Answers.of(
                model.isRestless(),
                behind(expected, order, after),
                () -> behind(sorted(client.stored, of(region), predicate, order), order, after),
                () -> lines(read(client.stored, inOrder(predicate, order, region, after))));
        inOrder++;
        resumed += after.isPresent() ? 1 : 0;
        requireAgreement(client + " " + region + " " + order + " after " + after, answers);
      } catch (OrderRefusedException e) {
        refused++;
      }
    }
  }

  static void requireAgreement(String asked, Answers answers) {
    if (!answers.agree()) {
      throw new AssertionError(
          asked
              + "\nplain scan, sorted:\n  "
              + String.join("\n  ", answers.plain())
              + "\nin order:\n  "
              + String.join("\n  ", answers.other()));
    }
  }

  /** The scan of a region in order. */
  static Scan inOrder(
      BoundPredicate predicate,
      ValueOrder order,
      RegionInfo region,
      Optional<ValuePosition> after) {
    OrderRequest request = new OrderRequest(predicate, order, region.getStartKey(), after);
    return of(region)
        .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_INDEX))
        .setFilter(new ValueOrderFilter(request));
  }

  private static List<String> behind(
      List<Result> rows, ValueOrder order, Optional<ValuePosition> after) {
    return lines(
        rows.stream()
            .filter(row -> after.filter(a -> order.compare(position(order, row), a) <= 0).isEmpty())
            .toList());
  }

  private static List<String> sorted(
      Client client, Scan like, BoundPredicate predicate, ValueOrder order, int limit)
      throws IOException {
    return lines(sorted(client.table, like, predicate, order).stream().limit(limit).toList());
  }

  static Scan of(RegionInfo region) {
    return new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
  }

  /** The rows of a scan that satisfy a predicate. */
  static List<Result> sorted(Table table, Scan all, BoundPredicate predicate, ValueOrder order)
      throws IOException {
    Scan scan = new Scan(all).setFilter(new PredicateFilter(predicate));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    List<Result> rows = read(table, scan);
    rows.removeIf(row -> order.position(Arrays.asList(row.rawCells())).isEmpty());
    rows.sort((a, b) -> order.compare(position(order, a), position(order, b)));
    return rows;
  }

  static ValuePosition position(ValueOrder order, Result row) {
    return order.position(Arrays.asList(row.rawCells())).orElseThrow();
  }

  static List<Result> read(Table table, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  static List<String> lines(List<Result> rows) {
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> Checker.show(row, lines));
    return lines;
  }

  /** Answers of regions in the order of values, so that a check of nothing is noticed. */
  long inOrder() {
    return inOrder;
  }

  /** Queries that were read asynchronously or ended on the way, whichever are fewer. */
  long asynchronous() {
    return ways.fewest();
  }

  /** Regions that left it to the client to sort. */
  long refused() {
    return refused;
  }

  @Override
  public String toString() {
    return compared
        + " answers in the order of values compared ("
        + ways
        + "), "
        + inOrder
        + " of single regions ("
        + resumed
        + " behind a row, "
        + refused
        + " refused), "
        + paged;
  }

  @Override
  public void close() {
    ways.close();
    spyhop.close();
  }
}
