package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.order.OrderBench;
import io.spyhop.cli.output.Bars;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spyhop bench order}. */
@Command(
    name = "order",
    description = {
      "Measures finding the ten orders of the highest price by the order of an index, against"
          + " reading all orders and keeping the first ten, on two region servers of its own.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  rows, regions  of the table",
      "  top10          plain_ms (the faster of plain_scan_ms, one scan of the table, and",
      "                 plain_regions_ms, scans of its regions side by side), spyhop_ms, ratio",
      "                 (plain / spyhop), blocks (data blocks of HFiles and index files that all",
      "                 regions read for one query), equal (whether the answers are the same to",
      "                 the last cell); times are medians"
    })
final class BenchOrderCommand extends Benchmark {
  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1500000",
      description = "Orders to load (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Regions of the table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured rounds, of which the median is taken (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Override
  void check() {
    atLeast("--rows", rows, 1);
    atLeast("--regions", regions, 1);
    atLeast("--repetitions", repetitions, 1);
  }

  @Override
  Row measure() throws IOException {
    return new OrderBench(BenchProcesses::onLocalFiles, rows, regions, repetitions).run(new Bars());
  }

  @Override
  void print(Row report) {
    Row top = report.row("top10");
    out()
        .printf(
            "Top 10 of %,d orders: plain scan and sort %.1f ms, Spyhop %.1f ms (%.0f times),"
                + " %.1f blocks, answers %s%n",
            rows,
            top.number("plain_ms"),
            top.number("spyhop_ms"),
            top.number("ratio"),
            top.number("blocks"),
            top.allEqual() ? "equal" : "DIFFERENT");
  }
}
