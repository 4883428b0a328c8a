package io.spyhop.cli.commands;

import io.spyhop.bench.mdrq.BenchReport;
import io.spyhop.bench.mdrq.MdrqBench;
import io.spyhop.bench.mdrq.Trial;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.JobTable;
import io.spyhop.cli.server.LocalHBase;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop bench mdrq}. */
@Command(
    name = "mdrq",
    description = {
      "Measures the five multi-dimensional range queries of the LCIndex paper, on an HBase of its"
          + " own.",
      "",
      "Loads the same TPC-H ORDERS into a table with three indexes and an unindexed twin, slice by"
          + " slice in turns, with 8 writers and batches of 1000. Asks each query four ways, in"
          + " turns: plain scan with a PredicateFilter and with SingleColumnValueFilters on the twin,"
          + " through Spyhop, and a key-range scan that returns as many rows. Scans have one scanner"
          + " a region on pools of the same size, and the same caching. Fails if any answer differs"
          + " in any cell.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  rows             orders in each table",
      "  regions          regions of each table",
      "  insert           plain_rows_per_s, spyhop_rows_per_s, ratio (spyhop / plain)",
      "  indexed_after_s  from the last write to the indexed table until every HFile is",
      "                   indexed, flush included; loading in turns waits after each",
      "                   turn, and all the waits count",
      "  bytes            base (HFiles), ifiles, sfiles of the indexed table",
      "  jobs             how the index jobs of the load waited, a list of:",
      "    kind           FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, ARCHIVE or REMOTE",
      "    jobs, failed   how many ended, how many of them failed",
      "    mean_wait_ms   mean time between being queued and being started",
      "    wait_ms        the distribution: waits at 10%%, 20%% ... 100%% of the jobs",
      "    mean_run_ms    mean time between being started and being ended",
      "  queries          a list of:",
      "    name           Scan-A, MDRQ-A, MDRQ-B, MDRQ-C, MDRQ-D",
      "    state          flushed: all data in HFiles, all HFiles indexed",
      "    rows           rows found",
      "    plain_ms       the faster plain scan; times are medians in milliseconds",
      "    spyhop_ms      through Spyhop",
      "    floor_ms       a key-range scan that returns as many rows",
      "    ratio          plain_ms / spyhop_ms",
      "    driving        the index that gave the candidates, or scan",
      "    records_read   index records read",
      "    equal          whether all answers are the same to the last cell",
      "    plain_filter   which plain scan was faster: predicate or scvf",
      "    plain_predicate_ms, plain_scvf_ms  both plain scans"
    })
final class BenchMdrqCommand implements Callable<Integer> {
  private static final int WARMUPS = 2;

  @Mixin private WorkloadOptions workload;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1500000",
      description = "Orders to load; 1500000 are TPC-H scale factor 1 (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured rounds, of which the median is taken (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    workload.check(spec, rows);
    WorkloadOptions.requirePositive(spec, "--repetitions", repetitions);
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    try (LocalHBase hbase = workload.startHBase();
        Connection connection = hbase.connect();
        MdrqBench bench =
            new MdrqBench(connection, rows, workload.regions(), new Trial(WARMUPS, repetitions))) {
      out.printf("HBase is up after %s, data in %s%n", Texts.since(start), hbase.directory());
      BenchReport report = run(bench, hbase);
      print(report, out);
      workload.write(report);
      out.printf("All done after %s.%n", Texts.since(start));
      workload.sayWhatStays(hbase, out);
      return Comparison.verdict(bench.differences(), spec) ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private static BenchReport run(MdrqBench bench, LocalHBase hbase) throws IOException {
    Bars bars = new Bars();
    bench.insert(bars);
    bench.ask(MdrqBench.FLUSHED, bars);
    bench.weigh(hbase::storeFileBytes);
    bench.compact();
    return bench.report();
  }

  private static void print(BenchReport report, PrintWriter out) {
    out.printf(
        "Insert: %s rows/s plain, %s rows/s with 3 indexes (ratio %s); indexed %s s later%n",
        Texts.count(Math.round(report.insert().plainRowsPerS())),
        Texts.count(Math.round(report.insert().spyhopRowsPerS())),
        Texts.ratio(report.insert().ratio()),
        report.indexedAfterS());
    out.printf(
        "On disk: %s HFiles, %s IFiles, %s SFiles%n",
        Texts.megabytes(report.bytes().base()),
        Texts.megabytes(report.bytes().ifiles()),
        Texts.megabytes(report.bytes().sfiles()));
    out.println("How long index jobs waited, in seconds (so many of them that long or less):");
    JobTable.lines(report.jobs()).forEach(out::println);
    Comparison.printBench(report.queries(), out);
  }
}
