package io.spyhop.cli.commands;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop explain}. */
@Command(
    name = "explain",
    description = {
      "Says how a query would be answered, region by region: by which index, or by scanning and why.",
      ""
    })
final class ExplainCommand extends ClientCommand {
  @Mixin private WidthOptions width;
  @Mixin private QueryOptions options;

  @Option(
      names = "--analyze",
      description = "Run the query too, drop its rows, and say what happened in each region.")
  private boolean analyze;

  private Query query;

  @Override
  void check() {
    query = options.query();
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    IndexedTable table = spyhop.table(options.table());
    Failures.warn(spec().commandLine(), table.remarks(query).ofCondition());
    QueryPlan plan = analyze ? table.explainAnalyze(query) : table.explain(query);
    out().println(plan.toText(width.width()).stripTrailing());
    return ExitCode.OK;
  }
}
