package io.spyhop.cli.commands;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop explain}. */
@Command(
    name = "explain",
    description = {
      "Says how a query would be answered, region by region: by which index, or by scanning and why.",
      ""
    })
final class ExplainCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;
  @Mixin private WidthOptions width;
  @Mixin private QueryOptions options;

  @Option(
      names = "--analyze",
      description = "Run the query too, drop its rows, and say what happened in each region.")
  private boolean analyze;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Query query = options.query();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      IndexedTable table = spyhop.table(options.table());
      Failures.warn(spec.commandLine(), table.remarks(query).ofCondition());
      QueryPlan plan = analyze ? table.explainAnalyze(query) : table.explain(query);
      spec.commandLine().getOut().println(plan.toText(width.width()).stripTrailing());
    }
    return ExitCode.OK;
  }
}
