package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.MdrqDemo;
import io.spyhop.bench.mdrq.Trial;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.MdrqLayout;
import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.LocalHBase;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class DemoCommand extends OrdersBenchmark {
  /** As the help says. */
  private static final Trial TRIAL = new Trial(1, 5);

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Orders to load; 1500000 are TPC-H scale factor 1 (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Override
  void check() {
    check(rows);
  }

  @Override
  Row measure(LocalHBase hbase, Connection connection) throws IOException {
    try (MdrqDemo demo = new MdrqDemo(connection, rows, regions(), TRIAL)) {
      Bars bars = new Bars();
      String loading = Texts.seconds(demo.load(bars));
      String indexing = Texts.seconds(demo.index());
      out()
          .printf(
              "Loaded %s orders into %d regions in %s; flushed and indexed %s later%n",
              Texts.count(rows), regions(), loading, indexing);
      demo.warmUp(bars);
      Row report = Row.of("rows", rows).and("queries", ask(demo, bars));
      out().println("Then:");
      demo.change().forEach(sentence -> out().println("  - " + sentence));
      out()
          .println(
              "  Half of that is flushed, the other half is in the memstores. Until a compaction,"
                  + " changed rows are in several files and are read again one by one.");
      report.and("after_updates", ask(demo, bars));
      String compacting = Texts.seconds(demo.compact());
      out().printf("Flushed, compacted and indexed, %s later:%n", compacting);
      report.and("after_compaction", ask(demo, bars));
      compared(demo.differences());
      return report;
    }
  }

  private List<Row> ask(MdrqDemo demo, Bars bars) throws IOException {
    List<Row> queries = demo.ask(bars);
    out().println();
    println(MdrqLayout.comparison(queries));
    out().println();
    return queries;
  }

  @Override
  void print(Row report) {
    out()
        .println("Times are medians of five rounds in turns, in milliseconds, all in one process.");
  }
}
