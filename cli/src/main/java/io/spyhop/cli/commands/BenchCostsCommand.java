package io.spyhop.cli.commands;

import io.spyhop.bench.costs.CostsBench;
import io.spyhop.bench.costs.CostsReport;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import io.spyhop.server.query.CostModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop bench costs}. */
@Command(
    name = "costs",
    description = {
      "Measures what reading costs on this machine, on an HBase of its own, and shows the settings"
          + " of region servers by which the planner chooses between an index and a scan.",
      "",
      "Two tables of rows with nine cells, one in one HFile and one in five, with all blocks in the"
          + " block cache; medians of what a region says its queries took. Only the ratios matter.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  rows     of each table",
      "  cell     nanoseconds for a cell that a plain scan reads and filters",
      "  record   for an index record that is read and judged",
      "  probe    for a bloom filter that is asked about a row",
      "  reread   for a row that is read again from the table",
      "  setup    for beginning to read an index"
    })
final class BenchCostsCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of each table (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "9",
      description = "Measured rounds, of which the median is taken (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results to this file too.")
  private Optional<Path> json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    WorkloadOptions.requirePositive(spec, "--rows", rows);
    WorkloadOptions.requirePositive(spec, "--repetitions", repetitions);
    if (json.isPresent()) {
      Json.checkWritable(json.get());
    }
    try (LocalHBase hbase = LocalHBase.start(DataDirectory.temporary(), ServerPorts.FREE);
        Connection connection = hbase.connect();
        CostsBench bench = new CostsBench(connection, rows, repetitions)) {
      CostsReport report = bench.run(new Bars());
      print(report, spec.commandLine().getOut());
      if (json.isPresent()) {
        Json.write(json.get(), report);
      }
    }
    return 0;
  }

  private static void print(CostsReport report, PrintWriter out) {
    CostModel usual = CostModel.DEFAULT;
    out.printf("%-20s %12s %12s%n", "nanoseconds", "default", "measured");
    line(out, "cell", usual.scannedCell(), report.cell());
    line(out, "record", usual.record(), report.record());
    line(out, "probe", usual.probe(), report.probe());
    line(out, "reread", usual.reread(), report.reread());
    line(out, "setup", usual.setUp(), report.setup());
    out.flush();
  }

  private static void line(PrintWriter out, String name, double usual, double measured) {
    out.printf("%-20s %,12.0f %,12.0f%n", CostModel.PREFIX + name, usual, measured);
  }
}
