package io.spyhop.client;

import com.google.common.hash.Hashing;
import io.spyhop.client.internal.query.PageToken;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.value.ValueCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/**
 * Reads a query's rows page by page: each page is a query of its own, behind the last row of the
 * page before. In the order of a column's values these are two, of the rows with the last value and
 * a greater key, and of the values behind it. Stateless.
 */
final class Pages {
  /** Runs a query. */
  @FunctionalInterface
  interface Asking {
    RowCursor rows(Query query) throws IOException;
  }

  private final String table;
  private final Query query;
  private final Optional<ValueOrder> order;

  /**
   * @param order of its rows, resolved
   * @throws InvalidQueryException if it has no pages
   */
  Pages(String table, Query query, Optional<ValueOrder> order) {
    if (query.limit().isPresent()) {
      throw new InvalidQueryException("a page has as many rows as are asked for: leave out limit");
    }
    if (query.rowOrder() != RowOrder.KEY) {
      throw new InvalidQueryException("pages are in the order of keys or values, not in any order");
    }
    this.table = table;
    this.query = query;
    this.order = order;
  }

  /**
   * Reads one.
   *
   * @param rows how many at most
   * @param token of the page before; empty for the first
   */
  RowPage read(int rows, Optional<String> token, Asking asking) throws IOException {
    if (rows < 1 || rows == Integer.MAX_VALUE) {
      throw new InvalidQueryException(
          "a page of " + rows + " rows: it may have 1 to " + (Integer.MAX_VALUE - 1));
    }
    List<Query> parts =
        token
            .map(
                t ->
                    behind(
                        PageToken.decode(t).requireOf(digest(), "table '" + table + "', " + query)))
            .orElse(List.of(query));
    List<Result> found = new ArrayList<>();
    for (Query part : parts) {
      if (found.size() <= rows) {
        try (RowCursor cursor = asking.rows(part.limit(rows + 1 - found.size()))) {
          cursor.forEach(found::add);
        }
      }
    }
    return found.size() <= rows
        ? new RowPage(found, Optional.empty())
        : new RowPage(found.subList(0, rows), Optional.of(token(found.get(rows - 1)).encode()));
  }

  private List<Query> behind(PageToken token) {
    byte[] next = Arrays.copyOf(token.row(), token.row().length + 1);
    if (order.isEmpty()) {
      return List.of(query.from(next));
    }
    ValueCodec codec = order.get().column().type().codec();
    byte[] value = token.value();
    if (value == null || !codec.isDecodable(value, 0, value.length)) {
      throw new InvalidQueryException("the token has no value of column " + order.get());
    }
    Object last = codec.decode(value, 0, value.length);
    Predicates.ColumnExpression column =
        Predicates.column(order.get().column().name().toString(), order.get().column().type());
    Predicate further = order.get().descending() ? column.lt(last) : column.gt(last);
    return List.of(query.inKeyOrder().and(column.eq(last)).from(next), query.and(further));
  }

  private PageToken token(Result last) {
    byte[] value = null;
    if (order.isPresent()) {
      var column = order.get().column().name();
      value = last.getValue(column.family(), column.qualifier());
      if (value == null) {
        throw new InvalidQueryException("column " + column + " orders the pages: select it, too");
      }
    }
    return new PageToken(digest(), last.getRow(), value);
  }

  /** Of what decides which rows there are, and in which order. */
  private long digest() {
    String text =
        String.join(
            "\n",
            table,
            query.predicate().map(Predicate::toString).orElse(""),
            query.selected().toString(),
            query.range().toString(),
            query.read().cells(),
            order.map(o -> o + " " + o.column().type()).orElse(""));
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asLong();
  }
}
