package io.spyhop.cli.commands;

import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop index verify}. */
@Command(
    name = "verify",
    description = {
      "Compares a global index with its table, while writes go on.",
      "",
      "Missing entries hide rows from queries through the index; dangling ones cost reads a look."
          + " Exits with 1 if there are any, unless --repair mends them.",
      ""
    })
final class IndexVerifyCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Mixin private IndexName target;

  @Option(names = "--repair", description = "Add missing entries and delete dangling ones.")
  private boolean repair;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      VerifyReport report = spyhop.admin().verify(target.table(), target.name(), repair);
      String mended = repair ? " (mended)" : "";
      out.printf(
          "%s of %s cells have no entry%s%n",
          Texts.count(report.missing()), Texts.count(report.cells()), mended);
      print(report.missingSamples(), out);
      out.printf(
          "%s of %s entries dangle%s%n",
          Texts.count(report.dangling()), Texts.count(report.entries()), mended);
      print(report.danglingSamples(), out);
      out.printf("Compared in %s.%n", Texts.since(start));
      return report.isClean() || repair ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private static void print(List<Entry> samples, PrintWriter out) {
    samples.forEach(e -> out.printf("  %s%n", e));
  }
}
