package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.deli.DeliBench;
import io.spyhop.bench.deli.GlobalIndexes;
import io.spyhop.bench.deli.NoIndexes;
import io.spyhop.bench.deli.Product;
import io.spyhop.bench.deli.Settings;
import io.spyhop.cli.output.DeliLayout;
import io.spyhop.cli.output.Layout;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  reads            a list of queries by value, one after the other:",
      "    side           point, in20 (a list of 20 values), two (conditions on two indexed",
      "                   columns), limit10 (the first 10 of hundreds of rows)",
      "    p50_ms, p99_ms  of a query",
      "    calls_per_query  that the client made; server_calls_per_query: that servers answered",
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
final class BenchDeliCommand extends Benchmark {
  private static final Layout LAYOUT = new DeliLayout();
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

  @Mixin private PageOption page;

  @Override
  void check() {
    atLeast("--ops", ops, MIN_OPS);
    atLeast("--rows", rows, MIN_OPS);
    atLeast("--regions", regions, 1);
    atLeast("--repetitions", repetitions, 1);
    if (mixedSeconds <= 0 || graceMillis < 0) {
      throw refusal("--mixed-seconds must be positive, --grace-ms not negative");
    }
  }

  @Override
  Row measure() throws IOException {
    Settings settings = new Settings(ops, rows, regions, mixedSeconds, repetitions, graceMillis);
    return new DeliBench(BenchProcesses::onLocalFiles, this::product, settings).run(steps());
  }

  private Product product(Connection connection) {
    return noIndexes ? new NoIndexes(connection) : new GlobalIndexes(connection);
  }

  @Override
  void print(Row report) {
    println(LAYOUT.lines(report));
  }

  @Override
  Optional<Page> page() {
    return page.of("Spyhop: bench deli", LAYOUT);
  }
}
