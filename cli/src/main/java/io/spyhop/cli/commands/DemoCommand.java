package io.spyhop.cli.commands;

import io.spyhop.bench.mdrq.DemoReport;
import io.spyhop.bench.mdrq.MdrqDemo;
import io.spyhop.bench.mdrq.QueryReport;
import io.spyhop.bench.mdrq.Trial;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.LocalHBase;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spyhop demo}. */
@Command(
    name = "demo",
    description = {
      "Shows what Spyhop does, on an HBase of its own.",
      "",
      "Loads TPC-H ORDERS into a table with three indexes and asks the five queries of the LCIndex"
          + " paper, each as a plain filtered scan and through Spyhop, with one scanner a region on"
          + " both sides. Then it updates and deletes rows, leaves half of that in the memstores, and"
          + " asks again, and once more when all is flushed and compacted. The two ways take turns,"
          + " after rounds that do not count. Fails if any answer differs in any cell.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  rows           orders loaded",
      "  queries        a list of:",
      "    name         Scan-A, MDRQ-A, MDRQ-B, MDRQ-C, MDRQ-D",
      "    rows         rows found",
      "    plain_ms     plain filtered scan; times are medians of 5 in milliseconds",
      "    spyhop_ms    through Spyhop",
      "    ratio        plain_ms / spyhop_ms",
      "    driving      the index that gave the candidates, or scan",
      "    records_read index records read",
      "    equal        whether both answers are the same to the last cell",
      "  after_updates     the same list, after updates and deletes, half of them in the memstores",
      "  after_compaction  the same list, all of them flushed, compacted and indexed"
    })
final class DemoCommand implements Callable<Integer> {
  /** As the help says. */
  private static final Trial TRIAL = new Trial(1, 5);

  @Mixin private WorkloadOptions workload;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Orders to load; 1500000 are TPC-H scale factor 1 (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    workload.check(spec, rows);
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    try (LocalHBase hbase = workload.startHBase();
        Connection connection = hbase.connect();
        MdrqDemo demo = new MdrqDemo(connection, rows, workload.regions(), TRIAL)) {
      out.printf("HBase is up after %s, data in %s%n", Texts.since(start), hbase.directory());
      DemoReport report = run(demo, out);
      workload.write(report);
      out.printf("All done after %s.%n", Texts.since(start));
      workload.sayWhatStays(hbase, out);
      return Comparison.verdict(demo.differences(), spec) ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private DemoReport run(MdrqDemo demo, PrintWriter out) throws IOException {
    Bars bars = new Bars();
    String loading = Texts.seconds(demo.load(bars));
    String indexing = Texts.seconds(demo.index());
    out.printf(
        "Loaded %s orders into %d regions in %s; flushed and indexed %s later%n",
        Texts.count(rows), workload.regions(), loading, indexing);
    demo.warmUp(bars);
    List<QueryReport> first = demo.ask(bars);
    Comparison.print(first, out);
    out.println("Then:");
    demo.change().forEach(sentence -> out.println("  - " + sentence));
    out.println(
        "  Half of that is flushed, the other half is in the memstores. Until a compaction, changed"
            + " rows are in several files and are read again one by one.");
    List<QueryReport> second = demo.ask(bars);
    Comparison.print(second, out);
    out.printf("Flushed, compacted and indexed, %s later:%n", Texts.seconds(demo.compact()));
    List<QueryReport> third = demo.ask(bars);
    Comparison.print(third, out);
    out.println("Times are medians of five rounds in turns, in milliseconds, all in one process.");
    return new DemoReport(rows, first, second, third);
  }
}
