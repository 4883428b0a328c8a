package io.spyhop.cli.commands;

import io.spyhop.cli.output.CellText;
import io.spyhop.cli.output.RowFormat;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryRemarks;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
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
      "Finds rows by value and prints them in row-key order, or in the order of a column's values.",
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

  private Query query;

  @Override
  void check() {
    query = options.query();
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    IndexedTable table = spyhop.table(options.table());
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
