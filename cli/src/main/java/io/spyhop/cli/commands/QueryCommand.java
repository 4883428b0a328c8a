package io.spyhop.cli.commands;

import io.spyhop.cli.output.CellText;
import io.spyhop.cli.output.GroupTable;
import io.spyhop.cli.output.RowFormat;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Query;
import io.spyhop.client.QueryRemarks;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.client.Result;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop query}. */
@Command(
    name = "query",
    description = {
      "Finds rows by value and prints them in row-key order, or in the order of a column's values,",
      "or prints aggregates of them.",
      "",
      "Columns whose type is declared by an index or in the condition are decoded; others are"
          + " printed as text if they are text in UTF-8, and otherwise, like row keys, as their"
          + " bytes are, unprintable ones as \\xNN. TEXT has line feeds as \\n"
          + ", so that a line is a row.",
      ""
    })
final class QueryCommand extends ClientCommand {
  @Mixin private QueryOptions options;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description =
          "TEXT: a line a row; JSON: an object a row, one on each line; CSV: a line a cell"
              + " (default: ${DEFAULT-VALUE}).")
  private RowFormat format;

  @Option(
      names = "--count",
      description = "Print how many rows there are; short for --aggregate \"count(*)\".")
  private boolean count;

  @Option(
      names = "--aggregate",
      paramLabel = "LIST",
      description =
          "Print aggregates of the rows in their place, which regions compute: count(*),"
              + " count(COLUMN), count(distinct COLUMN), min(COLUMN), max(COLUMN), sum(COLUMN),"
              + " avg(COLUMN), separated by commas. In JSON, an object a group.")
  private Optional<String> aggregates;

  @Option(
      names = "--group-by",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "With --aggregate or --count: a line for each value of a column, or of two, separated"
              + " by a comma; rows without a value are a group, too.")
  private List<String> groupBy = List.of();

  private Query query;
  private Optional<Aggregation> aggregation = Optional.empty();

  @Override
  void check() {
    query = options.query();
    aggregation = aggregation();
  }

  private Optional<Aggregation> aggregation() {
    if (!count && aggregates.isEmpty()) {
      if (!groupBy.isEmpty()) {
        throw new InvalidQueryException(
            "--group-by is for --aggregate LIST or --count, which are missing");
      }
      return Optional.empty();
    }
    List<Aggregate> all = new ArrayList<>(count ? List.of(Aggregate.count()) : List.of());
    aggregates.ifPresent(list -> all.addAll(Aggregation.parse(list).aggregates()));
    return Optional.of(Aggregation.of(all).groupBy(groupBy.toArray(new String[0])));
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    IndexedTable table = spyhop.table(options.table());
    return aggregation.isPresent() ? aggregate(table, aggregation.get()) : printRows(table);
  }

  private int aggregate(IndexedTable table, Aggregation asked) throws IOException {
    Failures.warn(spec().commandLine(), table.remarks(query).ofCondition());
    long start = System.nanoTime();
    GroupTable groups = GroupTable.of(asked, table.aggregate(query, asked));
    groups.print(format, out());
    spec()
        .commandLine()
        .getErr()
        .printf("%s groups in %s%n", Texts.count(groups.lines().size()), Texts.since(start));
    return ExitCode.OK;
  }

  private int printRows(IndexedTable table) throws IOException {
    CellText cells = new CellText(types(table, query));
    QueryRemarks remarks = table.remarks(query);
    Failures.warn(spec().commandLine(), remarks.ofCondition());
    long start = System.nanoTime();
    long rows;
    try (RowCursor cursor = table.query(query)) {
      rows = format.printAll(seen(cursor, remarks), cells, out());
      Failures.warn(spec().commandLine(), remarks.ofRows(cursor));
    }
    spec().commandLine().getErr().printf("%s rows in %s%n", Texts.count(rows), Texts.since(start));
    return ExitCode.OK;
  }

  private static Iterable<Result> seen(RowCursor rows, QueryRemarks remarks) {
    return () -> StreamSupport.stream(rows.spliterator(), false).peek(remarks::saw).iterator();
  }

  /** Asks the master for nothing: who may read may query. */
  private static Map<ColumnName, ValueType> types(IndexedTable table, Query query)
      throws IOException {
    Map<ColumnName, ValueType> types = new HashMap<>();
    for (BoundColumn column : table.bind(query).columns()) {
      types.put(column.name(), column.type());
    }
    types.putAll(table.declaredTypes());
    return types;
  }
}
