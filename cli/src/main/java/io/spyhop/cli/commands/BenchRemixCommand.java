package io.spyhop.cli.commands;

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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop bench remix}. */
@Command(
    name = "remix",
    description = {
      "Measures sorted views on an HBase of its own: seeks, and seeks with fifty rows, in tables"
          + " whose rows are spread at random over 1 to 16 HFiles.",
      "",
      "Through a view, through HBase's heap and in one compacted file; keys of 16 bytes, values of"
          + " 100, all blocks in the block cache; medians.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  micro       runs, encoding, side, op, via, us, equal",
      "  view        runs, bytes_per_key, build_keys_per_s, extend_keys_per_s, equal",
      "  compaction  setting, bytes_put, bytes_written, scan_us, equal"
    })
final class BenchRemixCommand implements Callable<Integer> {
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
        Connection connection = hbase.connect()) {
      RemixReport report =
          new RemixBench(connection, hbase::regionServers, rows, repetitions).run(new Bars());
      print(report, spec.commandLine().getOut());
      if (json.isPresent()) {
        Json.write(json.get(), report);
      }
    }
    return 0;
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
    out.printf("%n%-22s %14s %14s %9s%n", "compaction", "bytes put", "written", "scan us");
    for (RemixReport.Compaction c : report.compaction()) {
      out.printf(
          "%-22s %,14d %,14d %,9.1f%s%n",
          c.setting(), c.bytes_put(), c.bytes_written(), c.scan_us(), unequal(c.equal()));
    }
    out.flush();
  }

  private static String unequal(boolean equal) {
    return equal ? "" : "  NOT EQUAL";
  }
}
