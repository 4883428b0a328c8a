package io.spyhop.cli.commands;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.deli.DeliBench;
import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.deli.GlobalIndexes;
import io.spyhop.bench.deli.NoIndexes;
import io.spyhop.bench.deli.Product;
import io.spyhop.bench.deli.Settings;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.DeliSection;
import io.spyhop.cli.output.DeliTables;
import io.spyhop.cli.output.HtmlPage;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Results;
import io.spyhop.cli.output.Texts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop bench deli}. */
@Command(
    name = "deli",
    description = {
      "Measures deferred against synchronous maintenance of global indexes, as section VI of the"
          + " DELI paper does, on HBase clusters of its own: two region servers in JVMs of their"
          + " own with 1 GB of heap each, data in local files, base and index regions mixed over"
          + " both.",
      "",
      "Three tables (no index, deferred, sync) with the same regions get the same Zipf-distributed"
          + " updates, about 50 of each row, slice by slice in turns A B C C B A, from 8 writers in"
          + " batches of 100. Rates are medians of slices; automatic compactions are off. Then a"
          + " major compaction, single puts, reads and writes mixed, and compactions of fresh"
          + " tables that look for obsolete entries in four ways.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  write            none_ops, deferred_ops, sync_ops: puts a second in batches;",
      "                   ratio (deferred / sync)",
      "  p99_ms           none, deferred, sync: 99th percentile of a batch's latency",
      "  mixed            a list of:",
      "    read_ratio     share of reads by value; the others are single puts",
      "    deferred_ops, sync_ops, ratio  operations a second",
      "    deferred_ms, sync_ms  read_p50, read_p99, write_p50, write_p99",
      "  compaction       a list of:",
      "    dataset        single or multi (versions)",
      "    mode           none, streaming, staged or before",
      "    seconds        the median, until no delete is pending; ratio (to none),",
      "                   block_reads, all_seconds",
      "  online_block_reads  deferred, sync: data blocks of HFiles read while writing",
      "  p50_ms           as p99_ms",
      "  write_drained    as write, each slice until no delete is pending",
      "  singles          write, p50_ms, p99_ms of single puts",
      "  overhead         table II, a list of: mode, online_s, offline_s, total_s,",
      "                   online_block_reads, offline_block_reads, total_block_reads",
      "  settings         what was asked for"
    })
final class BenchDeliCommand implements Callable<Integer> {
  private static final int MIN_OPS = 1_000;

  @Option(
      names = "--ops",
      paramLabel = "N",
      defaultValue = "240000",
      description = "Updates of each table in the write trial (default: ${DEFAULT-VALUE}).")
  private int ops;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "120000",
      description = "Puts into each table of the compaction trial (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Regions of a table and of its index (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--mixed-seconds",
      paramLabel = "S",
      defaultValue = "3",
      description = "Length of each of two turns of a mixture (default: ${DEFAULT-VALUE}).")
  private double mixedSeconds;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "3",
      description = "Compactions, of which the median is taken (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--grace-ms",
      paramLabel = "MS",
      defaultValue = "500",
      description =
          "How old a finding must be before an entry is deleted for it, while writing and reading"
              + " are measured; 0 in the compaction trial (default: ${DEFAULT-VALUE}).")
  private long graceMillis;

  @Option(
      names = "--no-indexes",
      description =
          "Make no indexes at all and read by scans: what differs between the tables then is"
              + " noise.")
  private boolean noIndexes;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results to this file.")
  private Optional<Path> json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write tables and plots to this file, one HTML page.")
  private Optional<Path> report;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    Settings settings = new Settings(ops, rows, regions, mixedSeconds, repetitions, graceMillis);
    DeliReport measured =
        new DeliBench(BenchProcesses::start, this::product, settings)
            .run(Texts.steps(new Bars(), out, start));
    DeliTables.lines(measured).forEach(out::println);
    if (json.isPresent()) {
      Json.write(json.get(), measured);
    }
    if (report.isPresent()) {
      Files.writeString(
          report.get(),
          HtmlPage.of("Spyhop: bench deli", List.of(Results.here(DeliSection.of(measured)))));
    }
    out.printf("All done after %s.%n", Texts.since(start));
    return ExitCode.OK;
  }

  private Product product(BenchCluster cluster) {
    return noIndexes
        ? new NoIndexes(cluster.connection())
        : new GlobalIndexes(cluster.connection());
  }

  private void check() throws IOException {
    atLeast("--ops", ops, MIN_OPS);
    atLeast("--rows", rows, MIN_OPS);
    atLeast("--regions", regions, 1);
    atLeast("--repetitions", repetitions, 1);
    if (mixedSeconds <= 0 || graceMillis < 0) {
      throw new ParameterException(
          spec.commandLine(), "--mixed-seconds must be positive, --grace-ms not negative");
    }
    for (Optional<Path> file : List.of(json, report)) {
      if (file.isPresent()) {
        Json.checkWritable(file.get());
      }
    }
  }

  private void atLeast(String option, long value, long least) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), option + " " + value + " is less than " + least);
    }
  }
}
