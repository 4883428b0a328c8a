package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.dynahash.DynahashBench;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.DynahashLayout;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop bench dynahash}. */
@Command(
    name = "dynahash",
    description = {
      "Measures bucketed tables on clusters of their own, of JVMs on this machine: three region"
          + " servers on HDFS, of which one goes and one comes.",
      "",
      "Rebalances of a table with 8 buckets (dynahash), with many (static), and of one whose rows are"
          + " all copied to where another hash puts them (rehash); a bucketed table against a plain"
          + " one; rebalances beside writers and queries, with --pause; splits. All answers are"
          + " checked.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  settings    rows, repetitions, servers, buckets, static_buckets, pause_seconds",
      "  rebalance   scheme, change, seconds, bytes_moved, least_bytes, balance,",
      "              missing_index_files, buckets_moved, blocked_ms, equal",
      "  overhead    work, plain, bucketed, ratio, equal: milliseconds, medians",
      "  small       work, plain_us, bucketed_us, ratio, rpcs (of the bucketed table's client),",
      "              equal: on few of 20,000 rows, medians",
      "  under_load  write_share, seconds, query_p99_before_ms, query_p99_during_ms,",
      "              query_p99_after_ms, rows_per_s, queries, equal: at a share of the rows a second",
      "              that can be written at most",
      "  split       table, write_ms, read_ms, longest_write_ms, equal: the longest operation beside",
      "              a split, medians"
    })
final class BenchDynahashCommand extends Benchmark {
  private static final int MOST_BUCKETS = 256;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of each table (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rebalances of each kind (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--static-buckets",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Buckets of the scheme 'static', a power of two up to 256; each takes a second or so to"
              + " move (default: ${DEFAULT-VALUE}).")
  private int staticBuckets;

  @Mixin private PauseOption pause;

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description =
          "Parts to run, separated by commas (default: all): rebalance, overhead, small,"
              + " under_load, split.")
  private Set<DynahashBench.Part> parts = EnumSet.allOf(DynahashBench.Part.class);

  @Override
  void check() {
    atLeast("--rows", rows, 1);
    atLeast("--repetitions", repetitions, 1);
    pause.get();
    if (Integer.bitCount(staticBuckets) != 1 || staticBuckets < 1 || staticBuckets > MOST_BUCKETS) {
      throw refusal("--static-buckets must be a power of two from 1 to " + MOST_BUCKETS);
    }
  }

  @Override
  Row measure() throws IOException {
    return new DynahashBench(
            BenchProcesses::onHdfs, rows, repetitions, staticBuckets, pause.get(), parts)
        .run(new Bars());
  }

  @Override
  void print(Row report) {
    println(new DynahashLayout().lines(report));
  }
}
