package io.spyhop.client;

import com.google.common.hash.Hashing;
import io.spyhop.client.internal.query.PageToken;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
    String what = "table '" + table + "', " + query;
    List<Part> parts =
        token
            .map(t -> behind(PageToken.decode(t, what).requireOf(digest(), what)))
            .orElse(List.of(new Part(query, row -> true)));
    List<Result> found = new ArrayList<>();
    for (Part part : parts) {
      if (found.size() <= rows) {
        found.addAll(part.without(found).first(rows + 1 - found.size(), asking));
      }
    }
    return found.size() <= rows
        ? new RowPage(found, Optional.empty())
        : new RowPage(found.subList(0, rows), Optional.of(token(found.get(rows - 1)).encode()));
  }

  /**
   * Rows of a page.
   *
   * @param belongs whether a row is one of them by what the caller sees of it: where cells are
   *     hidden, HBase's filters see those, too
   */
  private record Part(Query query, Predicate<Result> belongs) {
    /** A row that has another value by now is on the page already. */
    Part without(List<Result> before) {
      Set<ByteBuffer> keys = new HashSet<>();
      before.forEach(row -> keys.add(ByteBuffer.wrap(row.getRow())));
      return new Part(query, belongs.and(row -> !keys.contains(ByteBuffer.wrap(row.getRow()))));
    }

    List<Result> first(int wanted, Asking asking) throws IOException {
      int limit = wanted;
      while (true) {
        List<Result> found = new ArrayList<>();
        try (RowCursor cursor = asking.rows(query.limit(limit))) {
          cursor.forEach(found::add);
        }
        boolean all = found.size() < limit;
        found.removeIf(belongs.negate());
        if (all || found.size() >= wanted) {
          return found.subList(0, Math.min(wanted, found.size()));
        }
        limit = (int) Math.min(2L * limit, Integer.MAX_VALUE);
      }
    }
  }

  private List<Part> behind(PageToken token) {
    byte[] next = Arrays.copyOf(token.row(), token.row().length + 1);
    if (order.isEmpty()) {
      return List.of(new Part(query.from(next), row -> true));
    }
    ValueCodec codec = order.get().column().type().codec();
    byte[] value = token.value();
    if (value == null || !codec.isDecodable(value, 0, value.length)) {
      throw new InvalidQueryException(
          "the token of a page of table '" + table + "' has no value of column " + order.get());
    }
    Operand last = codec.operandFromStored(value);
    Predicates.ColumnExpression column =
        Predicates.column(order.get().column().name().toString(), order.get().column().type());
    int behind = order.get().descending() ? -1 : 1;
    return List.of(
        new Part(
            query.inKeyOrder().and(column.eq(last.value())).from(next),
            row -> compare(row, last) == 0),
        new Part(
            query.and(order.get().descending() ? column.lt(last.value()) : column.gt(last.value())),
            row -> compare(row, last) == behind));
  }

  /** How the value that a row shows compares: -1, 0 or 1; something else if it shows none. */
  private int compare(Result row, Operand with) {
    return order
        .get()
        .position(Arrays.asList(row.rawCells()))
        .map(p -> Integer.signum(p.value().compareTo(with)))
        .orElse(Integer.MIN_VALUE);
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
            query.predicate().map(Object::toString).orElse(""),
            query.selected().toString(),
            query.range().toString(),
            query.read().cells(),
            order.map(o -> o + " " + o.column().type()).orElse(""));
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asLong();
  }
}
