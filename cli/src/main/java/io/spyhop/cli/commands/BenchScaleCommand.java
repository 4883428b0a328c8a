package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.scale.ScaleBench;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.ScaleLayout;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spyhop bench scale}. */
@Command(
    name = "scale",
    description = {
      "Measures what a region server costs that has many regions and nothing to do, on clusters of"
          + " their own: HDFS and one region server with local index files, first without indexes,"
          + " then with five a table, two of them global. Tables have two rows a region.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  tables   how many tables there are",
      "  idle     regions (of these tables), indexes (of each), plain_tables (beside each, as many",
      "           as its indexes take otherwise), cpu_percent (of one core), heap_mb (after a",
      "           collection), threads, fds (open files and sockets), namenode_ops_s, meta_ops_s",
      "           (of all programs together), log_lines_min",
      "  restart  regions, indexes, plain_tables, online_s and active_s (from the stop of the",
      "           server until all regions are open, and all indexes active), log_lines meanwhile",
      "  point_query  regions (of a table with a global index), queries, server_cpu_ms and bytes (of",
      "           answers; of a query, without what the idle server uses in that time),",
      "           get_cpu_ms and get_bytes (the same of a read of such a row by its key)",
      "  motion   regions, event (every 3 s; 4 clients ask for one value), p50_ms, p99_ms, max_ms,",
      "           regions_scanned"
    })
final class BenchScaleCommand extends Benchmark {
  @Option(
      names = "--regions",
      paramLabel = "N",
      split = ",",
      defaultValue = "60,1000",
      description =
          "Regions of all tables together, with commas between them for one measurement after the"
              + " other; 0 leaves these out (default: ${DEFAULT-VALUE}).")
  private List<Integer> regions;

  @Option(
      names = "--tables",
      paramLabel = "N",
      defaultValue = "20",
      description = "Tables; the regions are a multiple of them (default: ${DEFAULT-VALUE}).")
  private int tables;

  @Option(
      names = "--point-regions",
      paramLabel = "N",
      split = ",",
      defaultValue = "100,2000",
      description =
          "Regions of a table of which queries ask for one value; 0 leaves these out (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> pointRegions;

  @Option(
      names = "--motion-regions",
      paramLabel = "N",
      split = ",",
      defaultValue = "60",
      description =
          "Regions of such a table that move and split; 0 leaves these out (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> motionRegions;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long a server is watched (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  void check() {
    atLeast("--tables", tables, 1);
    atLeast("--seconds", seconds, 1);
    for (int count : regions) {
      if (count < 0 || count % tables != 0) {
        throw refusal("--regions " + count + " is no multiple of --tables " + tables);
      }
    }
  }

  @Override
  Row measure() throws IOException {
    ScaleBench.Plan plan =
        new ScaleBench.Plan(
            positive(regions), tables, positive(pointRegions), positive(motionRegions));
    return new ScaleBench(
            BenchProcesses::oneOnHdfs, BenchProcesses::onHdfs, plan, Duration.ofSeconds(seconds))
        .run(new Bars());
  }

  private static List<Integer> positive(List<Integer> sizes) {
    return sizes.stream().filter(s -> s > 0).toList();
  }

  @Override
  void print(Row report) {
    println(new ScaleLayout().lines(report));
  }
}
