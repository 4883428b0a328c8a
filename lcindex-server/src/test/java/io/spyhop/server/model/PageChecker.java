package io.spyhop.server.model;

import io.spyhop.client.Query;
import io.spyhop.client.RowPage;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads rows by pages, in the order of keys or values. After some pages the rest waits for the next
 * check: whatever has become of the table, it is what the plain scan has behind the last row.
 */
final class PageChecker {
  private static final Optional<String> NO_TOKEN = Optional.empty();
  private static final Optional<Result> NO_ROW = Optional.empty();

  private final ModelTable model;
  private Pages begun;
  private long compared;
  private long resumed;

  PageChecker(ModelTable model) {
    this.model = model;
  }

  /**
   * A query whose first pages were read.
   *
   * @param order empty for that of keys
   * @param last the row at the token; none before the first page
   */
  private record Pages(
      OrderChecker.Client client,
      Query query,
      BoundPredicate predicate,
      Optional<ValueOrder> order,
      int size,
      Optional<String> token,
      Optional<Result> last) {
    private boolean isBehind(Result row) {
      return last.isEmpty()
          || order
                  .map(
                      o ->
                          o.compare(
                              OrderChecker.position(o, row), OrderChecker.position(o, last.get())))
                  .orElseGet(() -> Bytes.compareTo(row.getRow(), last.get().getRow()))
              > 0;
    }

    /** All rows that are left, by the plain scan. */
    List<Result> plain() throws IOException {
      List<Result> rows;
      if (order.isPresent()) {
        rows = OrderChecker.sorted(client.table(), new Scan(), predicate, order.get());
      } else {
        Scan scan = new Scan().setAttribute(Attributes.PATH_HINT, Bytes.toBytes("scan"));
        if (!predicate.isEveryRow()) {
          scan.setFilter(new PredicateFilter(predicate));
        }
        rows = OrderChecker.read(client.table(), scan);
      }
      return rows.stream().filter(this::isBehind).toList();
    }

    /** All rows that are left, page by page. */
    List<Result> paged() throws IOException {
      List<Result> rows = new ArrayList<>();
      RowPage page = client.indexed().page(query, size, token);
      rows.addAll(page.rows());
      while (page.next().isPresent()) {
        page = client.indexed().page(query, size, page.next());
        rows.addAll(page.rows());
      }
      return rows;
    }
  }

  /** Rows whose place the caller may not know are left out. */
  private List<String> lines(Pages pages, List<Result> rows) throws IOException {
    List<Result> shown = new ArrayList<>();
    for (Result row : rows) {
      if (pages.order().isEmpty() || isPlaceShown(pages.order().get().column().name(), row)) {
        shown.add(row);
      }
    }
    return OrderChecker.lines(shown);
  }

  private boolean isPlaceShown(ColumnName by, Result row) throws IOException {
    if (model.security().isEmpty()) {
      return true;
    }
    try (Table table = model.cluster().connection().getTable(model.name())) {
      Get newest = new Get(row.getRow()).addColumn(by.family(), by.qualifier());
      byte[] shown = row.getValue(by.family(), by.qualifier());
      return Arrays.equals(shown, table.get(newest).getValue(by.family(), by.qualifier()));
    }
  }

  void check(
      Random r, OrderChecker.Client client, Query query, BoundPredicate predicate, ValueOrder order)
      throws IOException {
    if (begun != null) {
      resumed++;
      requireSame(begun);
    }
    begun = null;
    if (query.limit().isPresent()) {
      return;
    }
    Pages pages =
        r.nextBoolean()
            ? new Pages(client, query, predicate, Optional.of(order), size(r), NO_TOKEN, NO_ROW)
            : inKeyOrder(client, query, size(r));
    requireSame(pages);
    if (!model.isRestless()) {
      OrderChecker.orDenied(() -> begin(pages));
    }
  }

  private static int size(Random r) {
    return 1 + r.nextInt(r.nextBoolean() ? 3 : 20);
  }

  private static Pages inKeyOrder(OrderChecker.Client client, Query ordered, int size) {
    Query query = ordered.predicate().map(Query::where).orElseGet(Query::all);
    BoundPredicate predicate =
        query
            .predicate()
            .map(p -> Binder.bind(p, Checker.resolver()))
            .orElseGet(BoundPredicate::everyRow);
    return new Pages(
        client,
        query.caching(ordered.caching()),
        predicate,
        Optional.empty(),
        size,
        NO_TOKEN,
        NO_ROW);
  }

  /** The rest is read after another step. */
  private List<String> begin(Pages first) throws IOException {
    RowPage page = first.client().indexed().page(first.query(), first.size(), NO_TOKEN);
    if (page.next().isPresent()) {
      Result last = page.rows().get(page.rows().size() - 1);
      begun =
          new Pages(
              first.client(),
              first.query(),
              first.predicate(),
              first.order(),
              first.size(),
              page.next(),
              Optional.of(last));
    }
    return List.of();
  }

  private void requireSame(Pages pages) throws IOException {
    compared++;
    Answers answers =
        Answers.of(
            model.isRestless(),
            OrderChecker.orDenied(() -> lines(pages, pages.plain())),
            () -> OrderChecker.orDenied(() -> lines(pages, pages.plain())),
            () -> OrderChecker.orDenied(() -> lines(pages, pages.paged())));
    OrderChecker.requireAgreement(
        pages.client() + " pages of " + pages.size() + ": " + pages.query(), answers);
  }

  @Override
  public String toString() {
    return compared + " compared by pages, " + resumed + " of them in a later step";
  }
}
