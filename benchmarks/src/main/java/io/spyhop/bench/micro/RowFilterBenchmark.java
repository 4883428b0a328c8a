package io.spyhop.bench.micro;

import io.spyhop.bench.mdrq.MdrqQuery;
import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures what a plain scan pays a row to judge MDRQ-B, with Spyhop's filter and with HBase's own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RowFilterBenchmark {
  private static final int ROWS = 10_000;
  private static final MdrqQuery QUERY = MdrqQuery.ALL.get(2);

  private List<List<Cell>> rows;
  private Filter predicateFilter;
  private Filter columnFilters;

  /** Makes the rows and both filters. */
  @Setup
  public void setUp() {
    Comparator<Cell> order = CellComparator.getInstance();
    rows =
        new OrderStream(ROWS)
            .next(ROWS).stream()
                .map(o -> OrdersTable.put(o, 1).getFamilyCellMap().get(OrdersTable.FAMILY))
                .map(cells -> cells.stream().sorted(order).toList())
                .toList();
    predicateFilter =
        new PredicateFilter(
            Binder.bind(Query.where(QUERY.where()).predicate().orElseThrow(), orders()));
    columnFilters = QUERY.columnFilters();
  }

  private static SchemaResolver orders() {
    return new SchemaResolver("orders", IndexSchema.of(OrdersTable.indexes()), List.of("d"));
  }

  /** A PredicateFilter. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int predicateFilter() throws IOException {
    return passing(predicateFilter);
  }

  /** A FilterList of SingleColumnValueFilters. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int columnFilters() throws IOException {
    return passing(columnFilters);
  }

  private int passing(Filter filter) throws IOException {
    int passing = 0;
    for (List<Cell> row : rows) {
      filter.reset();
      for (Cell cell : row) {
        if (filter.filterCell(cell) == Filter.ReturnCode.NEXT_ROW) {
          break;
        }
      }
      if (!filter.filterRow()) {
        passing++;
      }
    }
    return passing;
  }
}
