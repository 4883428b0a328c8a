package io.spyhop.cli.commands;

import io.spyhop.bench.mdrq.Difference;
import io.spyhop.bench.mdrq.QueryReport;
import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Prints how the two ways to answer compare. */
final class Comparison {
  private Comparison() {}

  static void print(List<QueryReport> reports, PrintWriter out) {
    TextTable table =
        new TextTable(
            "query",
            ">rows",
            "driving index",
            ">records read",
            ">plain ms",
            ">Spyhop ms",
            ">ratio",
            "equal");
    for (QueryReport r : reports) {
      table.add(
          r.name(),
          Texts.count(r.rows()),
          r.driving(),
          Texts.count(r.recordsRead()),
          Texts.millis(r.plainMs()),
          Texts.millis(r.spyhopMs()),
          Texts.ratio(r.ratio()),
          Texts.answer(r.equal()));
    }
    print(table, out);
  }

  private static void print(TextTable table, PrintWriter out) {
    out.println();
    table.lines().forEach(out::println);
    out.println();
    out.flush();
  }

  /**
   * Says on standard error which answers differ.
   *
   * @return whether none does
   */
  static boolean verdict(List<Difference> differences, CommandSpec spec) {
    for (Difference d : differences) {
      spec.commandLine()
          .getErr()
          .println("spyhop: the answers to " + d.query() + " differ: " + d.what());
    }
    return differences.isEmpty();
  }
}
