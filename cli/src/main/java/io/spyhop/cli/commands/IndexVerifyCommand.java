package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop index verify}. */
@Command(
    name = "verify",
    description = {
      "Compares an index with its table, while writes go on.",
      "",
      "Of a global index the entries with the cells, both ways; of a local one what it finds with"
          + " what a scan finds; of statistics whether they contain every stored cell.",
      "",
      "Missing entries hide rows from queries through the index; dangling ones cost reads a look."
          + " Those of overwritten values go after flushes and compactions, those of failed writes"
          + " when reads meet them twice within a minute; with --repair all, when the grace period"
          + " is over.",
      "",
      "Exits with 1 if something is missing and --repair does not add it, or could not be compared,"
          + " with 0 otherwise.",
      ""
    })
final class IndexVerifyCommand extends ClientCommand {
  @Mixin private IndexName target;

  @Option(names = "--repair", description = "Add missing entries and have dangling ones removed.")
  private boolean repair;

  @Override
  int run(Spyhop spyhop) throws IOException {
    PrintWriter out = out();
    long start = System.nanoTime();
    IndexAdmin admin = spyhop.admin();
    VerifyReport report = admin.verify(target.table(), target.name(), repair);
    if (report.unchecked() > 0) {
      out.printf(
          "%s of %s could not be compared: something is not built, or does not answer%n",
          Texts.count(report.unchecked()), Texts.count(report.cells()));
    }
    if (isStatistics(admin)) {
      printStatistics(report, out);
    } else {
      printEntries(report, out);
    }
    out.printf("Compared in %s.%n", Texts.since(start));
    return exitCode(report);
  }

  private boolean isStatistics(IndexAdmin admin) throws IOException {
    IndexSchema indexes = IndexSchema.of(admin.listIndexes(target.table()));
    return indexes.statistics().index(target.name()).isPresent();
  }

  /** Statistics have no entries. */
  private static void printStatistics(VerifyReport report, PrintWriter out) {
    out.printf(
        "%s of %s cells are not in the statistics%n",
        Texts.count(report.missing()), Texts.count(report.cells()));
    print(report.missingSamples(), out);
  }

  private void printEntries(VerifyReport report, PrintWriter out) {
    out.printf(
        "%s of %s cells have no entry%s%n",
        Texts.count(report.missing()),
        Texts.count(report.cells()),
        repair && report.missing() > 0 ? ", which have been added" : "");
    print(report.missingSamples(), out);
    out.printf(
        "%s of %s entries dangle%s%n",
        Texts.count(report.dangling()),
        Texts.count(report.entries()),
        repair && report.dangling() > 0
            ? ", which will be removed when the grace period is over"
            : "");
    print(report.danglingSamples(), out);
  }

  private int exitCode(VerifyReport report) {
    return switch (report.result()) {
      case CLEAN, DANGLING -> ExitCode.OK;
      case MISSING -> repair ? ExitCode.OK : ExitCode.SOFTWARE;
      case UNCHECKED -> ExitCode.SOFTWARE;
    };
  }

  private static void print(List<Entry> samples, PrintWriter out) {
    samples.forEach(e -> out.printf("  %s%n", e));
  }
}
