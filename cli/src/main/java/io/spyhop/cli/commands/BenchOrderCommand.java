package io.spyhop.cli.commands;

import io.spyhop.bench.order.OrderBench;
import io.spyhop.bench.order.OrderReport;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class BenchOrderCommand implements Callable<Integer> {
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

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results to this file too.")
  private Optional<Path> json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PositiveNumber.require(spec, "--rows", rows);
    PositiveNumber.require(spec, "--regions", regions);
    PositiveNumber.require(spec, "--repetitions", repetitions);
    if (json.isPresent()) {
      Json.checkWritable(json.get());
    }
    OrderBench bench = new OrderBench(BenchProcesses::onLocalFiles, rows, regions, repetitions);
    OrderReport report = bench.run(new Bars());
    OrderReport.Top top = report.top10();
    spec.commandLine()
        .getOut()
        .printf(
            "Top 10 of %,d orders: plain scan and sort %.1f ms, Spyhop %.1f ms (%.0f times),"
                + " %.1f blocks, answers %s%n",
            rows,
            top.plainMs(),
            top.spyhopMs(),
            top.ratio(),
            top.blocks(),
            top.equal() ? "equal" : "DIFFERENT");
    if (json.isPresent()) {
      Json.write(json.get(), report);
    }
    return top.equal() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
