package io.spyhop.cli.commands;

import io.spyhop.client.Consistency;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.OnUnavailable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowOrder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The parameters that name a table and describe a query. */
final class QueryOptions {
  private static final Pattern OPTION = Pattern.compile("--?[A-Za-z][^\\s<>!]*");

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "WHERE",
      description = {
        "The condition, for example",
        "\"totalprice BETWEEN 20000 AND 45000 AND orderpriority = '3-MEDIUM'\".",
        "Comparisons, BETWEEN, IN, LIKE 'prefix%%', IS [NOT] NULL, AND, OR, NOT. A column without"
            + " an index needs its type: CAST(custkey AS LONG) = 7. Without it every row is asked for."
      })
  private String where;

  @Option(
      names = "--order-by",
      paramLabel = "COLUMN",
      description =
          "Return rows in the order of this column's values, and rows of equal values in row-key"
              + " order; rows without a value in it are left out. Fast with a local index of the"
              + " column and --limit. Named as in WHERE: in double quotes, family and all, if it"
              + " is no plain name.")
  private Optional<String> orderBy;

  @Option(names = "--desc", description = "With --order-by: the greatest value first.")
  private boolean descending;

  @Option(
      names = "--select",
      split = ",",
      paramLabel = "COLUMN",
      description = "Return these columns only, separated by commas (default: whole rows).")
  private List<String> select = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "Return the first N rows only.")
  private Optional<Integer> limit;

  @Option(
      names = "--hint",
      paramLabel = "PATH",
      description =
          "Override the planner: auto, scan, index, or the name of an index. The answer is the"
              + " same.")
  private Optional<String> hint;

  @Option(
      names = "--consistency",
      paramLabel = "LEVEL",
      converter = ConsistencyConverter.class,
      description =
          "Which writes must be seen where regions are left out: strict, every one acknowledged"
              + " before; batched, the same with fewer requests and some milliseconds more;"
              + " bounded:MS, those acknowledged so many milliseconds before (default: strict).")
  private Optional<Consistency> consistency;

  @Option(names = "--no-pruning", description = "Leave out no region. The answer is the same.")
  private boolean unpruned;

  @Option(
      names = "--any-order",
      description =
          "Of a bucketed table, return the rows bucket by bucket, as they come, and not by their"
              + " keys; with --limit some of them, not the first.")
  private boolean anyOrder;

  @Option(
      names = "--on-unavailable",
      paramLabel = "scan|fail",
      description =
          "What is done where a global index that can answer is unavailable, as its regions are"
              + " being built or do not answer: scan the rows that it does not know, or fail"
              + " (default: scan).")
  private OnUnavailable onUnavailable = OnUnavailable.SCAN;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "End the query, with an error, if it is not answered in so many seconds (default: HBase's"
              + " own limits, of minutes).")
  private Optional<Integer> timeout;

  TableName table() {
    return table;
  }

  /** The query; throws {@code InvalidQueryException} if it is none. */
  Query query() {
    Query query = ordered(asked()).select(select.toArray(new String[0]));
    if (limit.isPresent()) {
      query = query.limit(limit.get());
    }
    if (consistency.isPresent()) {
      query = query.consistency(consistency.get());
    }
    if (timeout.isPresent()) {
      query = query.timeout(Duration.ofSeconds(timeout.get()));
    }
    query =
        query
            .onUnavailable(onUnavailable)
            .pruning(!unpruned)
            .rowOrder(anyOrder ? RowOrder.ANY : RowOrder.KEY);
    return hint.isPresent() ? query.hint(hint.get()) : query;
  }

  private Query asked() {
    if (where != null && OPTION.matcher(where).matches()) {
      throw new InvalidQueryException("unknown option " + where);
    }
    return where == null || where.isBlank() ? Query.all() : Query.where(where);
  }

  private Query ordered(Query query) {
    if (orderBy.isEmpty()) {
      if (descending) {
        throw new InvalidQueryException("--desc is for --order-by COLUMN, which is missing");
      }
      return query;
    }
    return query.orderBy(orderBy.get(), descending ? Order.DESC : Order.ASC);
  }
}
