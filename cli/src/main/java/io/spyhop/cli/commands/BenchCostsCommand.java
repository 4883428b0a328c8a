package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.costs.CostsBench;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import io.spyhop.server.query.plan.CostModel;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spyhop bench costs}. */
@Command(
    name = "costs",
    description = {
      "Measures what reading costs on this machine, on an HBase of its own, and shows the settings"
          + " of region servers by which the planner chooses between an index and a scan.",
      "",
      "Two tables of rows with nine cells, one in one HFile and one in five, with all blocks in the"
          + " block cache; medians of what a region says its queries took. Only the ratios matter."
          + " A cost is a difference of times: where it is not above zero, ask for more rows.",
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
final class BenchCostsCommand extends Benchmark {
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

  @Override
  void check() {
    atLeast("--rows", rows, 1);
    atLeast("--repetitions", repetitions, 1);
  }

  @Override
  Row measure() throws IOException {
    try (LocalHBase hbase = LocalHBase.start(DataDirectory.temporary(), ServerPorts.FREE);
        Connection connection = hbase.connect();
        CostsBench bench = new CostsBench(connection, rows, repetitions)) {
      return bench.run(new Bars());
    }
  }

  @Override
  void print(Row report) {
    CostModel usual = CostModel.DEFAULT;
    TextTable table = new TextTable("nanoseconds", ">default", ">measured");
    line(table, "cell", usual.scannedCell(), report);
    line(table, "record", usual.record(), report);
    line(table, "probe", usual.probe(), report);
    line(table, "reread", usual.reread(), report);
    line(table, "setup", usual.setUp(), report);
    println(table.lines());
  }

  private static void line(TextTable table, String name, double usual, Row report) {
    double measured = report.number(name);
    String shown = measured > 0 ? Texts.count(measured) : "within the noise";
    table.add(CostModel.PREFIX + name, Texts.count(usual), shown);
  }
}
