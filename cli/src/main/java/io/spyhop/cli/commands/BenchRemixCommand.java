package io.spyhop.cli.commands;

import io.spyhop.bench.order.OrderBench;
import io.spyhop.bench.order.OrderReport;
import io.spyhop.bench.remix.RemixBench;
import io.spyhop.bench.remix.RemixReport;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop bench remix}. */
@Command(
    name = "remix",
    description = {
      "Measures sorted views on an HBase of its own: seeks, and seeks with fifty rows, in tables"
          + " whose rows are spread at random over 1 to 16 HFiles; flushes, compactions and loads"
          + " with and without views; and the first rows in the order of an index.",
      "",
      "Seeks go through a view, through HBase's heap and in one compacted file; keys of 16 bytes,"
          + " values of 100, all blocks in the block cache; medians.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  micro       runs, encoding, side, op, via, us, equal",
      "  view        runs, bytes_per_key, build_keys_per_s, extend_keys_per_s, equal",
      "  upkeep      op, without_ms, with_ms, equal: flushes and compactions of twins",
      "  compaction  setting, bytes_put, bytes_written, scan_us, equal",
      "  load        load, setting, ops_per_s, write_amplification, hfiles, equal: by two clients,",
      "              95% scans of 1 to 100 rows and 5% inserts (scans), half updates (updates)",
      "  top10       as of bench order; null with --orders 0"
    })
final class BenchRemixCommand implements Callable<Integer> {
  private static final int REGIONS = 4;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of each table (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Measured calls of each kind (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "1500000",
      description =
          "Orders of which the ten of the highest price are found, on servers of their own; 0 for"
              + " none (default: ${DEFAULT-VALUE}).")
  private long orders;

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
    RemixReport report;
    try (LocalHBase hbase = LocalHBase.start(DataDirectory.temporary(), ServerPorts.FREE);
        Connection connection = hbase.connect()) {
      report = new RemixBench(connection, hbase::regionServers, rows, repetitions).run(new Bars());
    }
    if (orders > 0) {
      report =
          report.with(new OrderBench(BenchProcesses::start, orders, REGIONS, 1).run(new Bars()));
    }
    print(report, spec.commandLine().getOut());
    if (json.isPresent()) {
      Json.write(json.get(), report);
    }
    return report.allEqual() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void print(RemixReport report, PrintWriter out) {
    out.printf("%-5s %-13s %-10s %-7s %-8s %9s%n", "runs", "encoding", "side", "op", "via", "us");
    for (RemixReport.Micro m : report.micro()) {
      out.printf(
          "%-5d %-13s %-10s %-7s %-8s %,9.1f%s%n",
          m.runs(), m.encoding(), m.side(), m.op(), m.via(), m.us(), unequal(m.equal()));
    }
    out.printf(
        "%n%-5s %13s %15s %16s%n", "runs", "bytes per key", "merged keys/s", "extended keys/s");
    for (RemixReport.View v : report.view()) {
      out.printf(
          "%-5d %13.2f %,15.0f %,16.0f%s%n",
          v.runs(),
          v.bytes_per_key(),
          v.build_keys_per_s(),
          v.extend_keys_per_s(),
          unequal(v.equal()));
    }
    out.printf("%n%-11s %11s %11s%n", "upkeep", "without ms", "with ms");
    for (RemixReport.Upkeep u : report.upkeep()) {
      out.printf(
          "%-11s %,11.1f %,11.1f%s%n", u.op(), u.without_ms(), u.with_ms(), unequal(u.equal()));
    }
    out.printf("%n%-22s %14s %14s %9s%n", "compaction", "bytes put", "written", "scan us");
    for (RemixReport.Compaction c : report.compaction()) {
      out.printf(
          "%-22s %,14d %,14d %,9.1f%s%n",
          c.setting(), c.bytes_put(), c.bytes_written(), c.scan_us(), unequal(c.equal()));
    }
    out.printf("%n%-8s %-22s %9s %14s %6s%n", "load", "setting", "ops/s", "amplification", "files");
    for (RemixReport.Load l : report.load()) {
      out.printf(
          "%-8s %-22s %,9.0f %14.2f %6d%s%n",
          l.load(),
          l.setting(),
          l.ops_per_s(),
          l.write_amplification(),
          l.hfiles(),
          unequal(l.equal()));
    }
    OrderReport.Top top = report.top10();
    if (top != null) {
      out.printf(
          "%nTop 10: plain scan and sort %,.1f ms, by the index's order %,.1f ms, %.1f blocks%s%n",
          top.plainMs(), top.spyhopMs(), top.blocks(), unequal(top.equal()));
    }
    out.flush();
  }

  private static String unequal(boolean equal) {
    return equal ? "" : "  NOT EQUAL";
  }
}
