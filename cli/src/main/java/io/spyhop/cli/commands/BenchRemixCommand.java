package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.order.OrderBench;
import io.spyhop.bench.remix.RemixBench;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.RemixLayout;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
      "  settings    rows, repetitions",
      "  micro       runs, encoding, side, op, via, us, equal",
      "  view        runs, bytes_per_key, build_keys_per_s, extend_keys_per_s, equal",
      "  upkeep      op, flushes, bytes_flushed, bytes_read, cpu_share, without_ms, with_ms, equal:",
      "              of twins, 12 and 40 flushes with the compactions that follow, and compactions;",
      "              bytes read to make views, and the CPU time of that by that of the flushes",
      "  compaction  setting, bytes_put, bytes_written, scan_us, equal",
      "  load        load, setting, ops_per_s, write_amplification, hfiles, equal: by two clients,",
      "              95%% scans of 1 to 100 rows and 5%% inserts (scans), half updates (updates)",
      "  top10       as of bench order; null with --orders 0"
    })
final class BenchRemixCommand extends Benchmark {
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

  @Override
  void check() {
    atLeast("--rows", rows, 1);
    atLeast("--repetitions", repetitions, 1);
  }

  @Override
  Row measure() throws IOException {
    Row report;
    try (LocalHBase hbase = LocalHBase.start(DataDirectory.temporary(), ServerPorts.FREE);
        Connection connection = hbase.connect()) {
      report = new RemixBench(connection, hbase::regionServers, rows, repetitions).run(new Bars());
    }
    if (orders > 0) {
      OrderBench bench = new OrderBench(BenchProcesses::onLocalFiles, orders, REGIONS, 1);
      report.and("top10", bench.run(new Bars()).at("top10"));
    }
    return report;
  }

  @Override
  void print(Row report) {
    println(new RemixLayout().lines(report));
  }
}
