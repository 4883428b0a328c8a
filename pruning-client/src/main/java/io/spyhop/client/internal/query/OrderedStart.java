package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.global.PlainCost;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides whether the first rows of a query in the order of a column's values are looked for in a
 * global index, and does. Not thread-safe.
 *
 * @param query with an order
 * @param toSort the same in row-key order, whole rows
 * @param bytes that rows may take
 */
record OrderedStart(BoundQuery query, BoundQuery toSort, OrderedSearch search, long bytes) {
  /** What it costs a region to begin with an index, in cells. */
  private static final double SET_UP = 2_000;

  /** Counts the regions of the query's range. */
  @FunctionalInterface
  interface Regions {
    /** How many. */
    int count() throws IOException;
  }

  /**
   * Looks.
   *
   * @param sorting what it costs to find all rows
   * @param threads how many regions are asked at once
   * @return empty if no index was asked, as there is none or the regions have the rows sooner
   */
  Optional<OrderedSearch.Answer> search(
      Regions regions, PlainCost sorting, int threads, OrderedSearch.Rows rows) throws IOException {
    if (!query.isLimited()) {
      return Optional.empty();
    }
    boolean free =
        query.settings().hint().orElse(Attributes.PATH_AUTO).equals(Attributes.PATH_AUTO);
    boolean served = query.mayBeServedInOrder();
    if (served && !free && !query.isNamedGlobal()) {
      return Optional.empty();
    }
    OrderedSearch.Request request = request(sorting);
    if (request.drivers().isEmpty()) {
      return Optional.empty();
    }
    if (served && free) {
      double local = search.cellsOfRegions(regions.count(), SET_UP, threads);
      return local <= search.leastCells(query.limit())
          ? Optional.empty()
          : Optional.of(search.search(request(known(local)), rows));
    }
    return Optional.of(search.search(request, rows));
  }

  private OrderedSearch.Request request(PlainCost instead) {
    return new OrderedSearch.Request(
        query.entryQuery(),
        query.order().orElseThrow(),
        instead,
        row -> query.projection().strip(row) != null,
        bytes,
        query.keys().isEmpty());
  }

  private static PlainCost known(double cells) {
    return new PlainCost() {
      @Override
      public boolean isQuicklyAsked(RowRange range) {
        return true;
      }

      @Override
      public OptionalDouble cells(RowRange range) {
        return OptionalDouble.of(cells);
      }
    };
  }
}
