package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexSchema;
import io.trino.tpch.Order;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MdrqQueryTest {
  private static final List<Order> ORDERS = new OrderStream(20_000).next(20_000);

  static List<MdrqQuery> queries() {
    return MdrqQuery.ALL;
  }

  @Test
  void textsAreThoseOfThePaper() {
    assertThat(MdrqQuery.ALL)
        .extracting(MdrqQuery::where)
        .containsExactly(
            "totalprice BETWEEN 20000 AND 45000",
            "totalprice BETWEEN 20000 AND 45000 AND orderdate >= '1997-03-10'",
            "totalprice BETWEEN 20000 AND 45000 AND orderdate >= '1997-03-10'"
                + " AND orderpriority = '3-MEDIUM'",
            "totalprice BETWEEN 20000 AND 35000 AND orderdate >= '1997-11-10'"
                + " AND orderpriority = '3-MEDIUM'",
            "totalprice BETWEEN 25000 AND 35000 AND orderdate >= '1998-03-10'"
                + " AND orderpriority = '3-MEDIUM'");
  }

  @ParameterizedTest
  @MethodSource("queries")
  void bothFiltersPassWhatTheQuerySays(MdrqQuery query) throws IOException {
    SchemaResolver schema =
        new SchemaResolver("orders", IndexSchema.of(OrdersTable.indexes()), List.of("d"));
    Filter predicate =
        new PredicateFilter(
            Binder.bind(Query.where(query.where()).predicate().orElseThrow(), schema));
    Filter columns = query.columnFilters();
    int matching = 0;
    for (Order order : ORDERS) {
      boolean expected = matches(query, order);
      matching += expected ? 1 : 0;
      assertThat(passes(predicate, order)).as(order.toLine()).isEqualTo(expected);
      assertThat(passes(columns, order)).as(order.toLine()).isEqualTo(expected);
    }
    assertThat(matching).as("the data has matching rows").isPositive();
  }

  private static boolean matches(MdrqQuery query, Order order) {
    return order.getTotalPrice() >= query.minPrice()
        && order.getTotalPrice() <= query.maxPrice()
        && query.since().map(d -> OrdersTable.date(order).compareTo(d) >= 0).orElse(true)
        && query.priority().map(p -> order.getOrderPriority().equals(p)).orElse(true);
  }

  private static boolean passes(Filter filter, Order order) throws IOException {
    filter.reset();
    for (Cell cell : OrdersTable.put(order, 1).getFamilyCellMap().get(OrdersTable.FAMILY)) {
      filter.filterCell(cell);
    }
    return !filter.filterRow();
  }
}
