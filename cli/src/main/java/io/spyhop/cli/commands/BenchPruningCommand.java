package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.pruning.PruningBench;
import io.spyhop.bench.pruning.Settings;
import io.spyhop.cli.output.Layout;
import io.spyhop.cli.output.PruningLayout;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop bench pruning}. */
@Command(
    name = "pruning",
    description = {
      "Measures partition pruning (PPS) against the original partition scan (OPS), as section 6 of"
          + " the partition pruning paper does, on an HBase cluster of its own: two region servers"
          + " in JVMs of their own with 1 GB of heap each, data in local files.",
      "",
      "Loads the paper's six TPC-DS tables in key order, each cut into regions of a size, at least"
          + " 16 except store, with statistics and a bloom filter for each predicate column. Asks"
          + " the filtered dimension-table scans of Q-42, Q-52, Q-55 and Q-96 with 8 client threads"
          + " in turns O P B B P O; rates are medians of turns. OPS is the same client on the same"
          + " threads with pruning switched off and the plain scan hinted at: HBase scans all"
          + " regions with the same filters. PPS is STRICT; B is pruning by statistics that may be"
          + " 100 ms old (BOUNDED). store_sales has no predicate in these queries and is"
          + " measured alone, with a predicate that leaves nothing out, and in the whole queries:"
          + " one client hashes the rows of the dimension tables, reads store_sales, and counts and"
          + " adds up as TPC-DS does. Tells also what statistics cost writes.",
      "",
      "Under writes, half of the rows that are written get the predicate columns of other rows, so"
          + " that regions get values that they did not have. Rows that nobody writes are compared"
          + " meanwhile, all rows when writing has ended; then the rows get their values back, and"
          + " regions are compacted. Fails if an answer differs, or has not as many rows as a plain"
          + " scan found, or if a level of consistency does not show a write that it promises.",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  queries          a list of:",
      "    name           Q-42, Q-52, Q-55, Q-96; item and store_sales are one scan alone",
      "    load           read-only; write: rows written meanwhile, at --write-rate;",
      "                   memstore-P: P percent of the rows written again, not flushed;",
      "                   partitions-Nk: regions of N kilobytes; write-N: N rows/s written",
      "    ops_regions, pps_regions      regions read for a query, means",
      "    ops_memstores, pps_memstores  memstores read for a query, means",
      "    oracle_regions regions that hold a row of the answer, means",
      "    ops_qps, pps_qps  queries a second",
      "    bounded_regions, bounded_qps  the same of BOUNDED",
      "    equal          whether all answers are the same, and complete",
      "    write_asked, write_reached, write_changed  under writes, rows a second: asked for,",
      "                   reached, and of these with other values",
      "  sync             synchronising the statistics of one table:",
      "    regions, servers, rpcs",
      "    median_ms      a query that needs a synchronisation and reads nothing",
      "    multiget_ms    reading a row of each region with one list of Gets",
      "  cache_bytes      of each table, by the paper's formula",
      "  intervals        Q-55 while rows are written at --write-rate, a list of:",
      "    name, load",
      "    way            strict, batched, bounded",
      "    millis         between synchronisations; bounded: the age that statistics may have",
      "    qps, ms        queries a second, median latency",
      "    sync_ms, sync_bytes, syncs_per_second  of synchronisations",
      "    rpcs_per_query   calls to servers; sync_rpcs_per_query: for statistics alone",
      "    sync_bytes_per_query, regions  bytes of statistics, and regions read, for a query",
      "    stale_ms       after its acknowledgement a write is seen by queries that begin so much",
      "                   later, median",
      "    write_asked, write_reached, write_changed, equal",
      "  joins            whole queries by one client, a list of:",
      "    name, load",
      "    sales          rows of store_sales that are joined, mean",
      "    ops_dimensions_ms, pps_dimensions_ms, bounded_dimensions_ms  until the dimension tables",
      "                   are read, medians",
      "    ops_ms, pps_ms, bounded_ms  the whole query, medians; equal",
      "  scale            STRICT queries for values that no region has, a list of:",
      "    regions, columns, simulated",
      "    written        regions that are written between two queries",
      "    cache_mb       megabytes of the client's cache, as it counts them; heap_mb: as measured",
      "    bytes_per_query  of questions and answers; ms_per_query: median",
      "    read           regions read for a query, as filters are not exact"
    })
final class BenchPruningCommand extends Benchmark {
  private static final Layout LAYOUT = new PruningLayout();

  @Option(
      names = "--scale",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "TPC-DS' scale factor; of the dimensions, it changes item and store only (default:"
              + " ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--sales",
      paramLabel = "N",
      defaultValue = "40000",
      description = "Rows of store_sales to load, of all its years (default: ${DEFAULT-VALUE}).")
  private int sales;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of a turn (default: 1, with --quick 0.4).")
  private Optional<Double> seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Turns of each side, of which the median is taken (default: 3, with --quick 2).")
  private Optional<Integer> rounds;

  @Option(
      names = "--partition-kb",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Kilobytes of dsdgen's text in a region, where that gives at least 16 regions (default:"
              + " ${DEFAULT-VALUE}).")
  private int partitionKb;

  @Option(
      names = "--bloom",
      paramLabel = "BITS",
      defaultValue = "1024",
      description = "Bits of the filter of a column and region (default: ${DEFAULT-VALUE}).")
  private int bloomBits;

  @Option(
      names = "--write-rate",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Rows written a second in the write load; Q-55 is also asked at up to 64 times as many,"
              + " or as many as are reached (default: ${DEFAULT-VALUE}).")
  private int writeRate;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "Regions of the table that measures the statistics of many regions; 0 leaves it out"
              + " (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--simulated",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "The same of a table whose regions are simulated, in this JVM (default:"
              + " ${DEFAULT-VALUE}).")
  private int simulated;

  @Option(
      names = "--only-regions",
      description = "Measures these tables alone, without the paper's experiments.")
  private boolean onlyRegions;

  @Option(
      names = "--quick",
      description =
          "Shorter turns, and fewer sync intervals, write rates and shares in the memstore.")
  private boolean quick;

  @Mixin private PageOption page;

  private Settings settings;

  @Override
  void check() {
    try {
      settings =
          Settings.of(quick, scale, sales, partitionKb, bloomBits, writeRate)
              .with(seconds, rounds)
              .withRegions(regions, simulated, !onlyRegions);
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
  }

  @Override
  Row measure() throws IOException {
    return new PruningBench(BenchProcesses::onLocalFiles, settings).run(steps());
  }

  @Override
  void print(Row report) {
    println(LAYOUT.lines(report));
  }

  @Override
  Optional<Page> page() {
    return page.of("Spyhop: bench pruning", LAYOUT);
  }

  @Override
  boolean verdict(Row report) {
    String wrong =
        Stream.of("queries", "intervals", "joins")
            .filter(list -> report.at(list) != null)
            .flatMap(list -> report.rows(list).stream())
            .filter(q -> !q.allEqual())
            .map(q -> q.text("name") + " (" + q.text("load") + ")")
            .collect(Collectors.joining(", "));
    if (!wrong.isEmpty()) {
      err().println("spyhop: answers differ: " + wrong);
    }
    return wrong.isEmpty();
  }
}
