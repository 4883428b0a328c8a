package io.spyhop.cli.commands;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.MdrqBench;
import io.spyhop.bench.mdrq.Servers;
import io.spyhop.bench.mdrq.State;
import io.spyhop.bench.mdrq.Trial;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.JobTable;
import io.spyhop.cli.output.MdrqLayout;
import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.client.JobSummary;
import io.spyhop.core.schema.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spyhop bench mdrq}. */
@Command(
    name = "mdrq",
    description = {
      "Measures the five multi-dimensional range queries of the LCIndex paper, on an HBase of its"
          + " own.",
      "",
      "Loads the same TPC-H ORDERS into a table with three indexes and an unindexed twin, slice by"
          + " slice in turns, with 8 writers and batches of 1000. Asks each query five ways, in"
          + " turns: plain scan with a PredicateFilter and with SingleColumnValueFilters on the"
          + " twin, through Spyhop, and key-range scans that return as many rows, by one scanner"
          + " and by one a region. Scans have one scanner a region on pools of the same size, and"
          + " the same caching. Fails if any answer differs in any cell, or a state does not hold.",
      "",
      "States (--state):",
      "  flushed          loaded in key order, all in HFiles, all HFiles indexed",
      "  limit-narrow     the same; the first 10 rows of about 1 in 1000",
      "  limit-wide       the same; the first 10 rows of about 1 in 3, and of 1 in 15",
      "  clients-8        the same; 8 clients ask at once",
      "  puts-beside-in   the same; puts beside queries with an IN of 5,000 values",
      "  cold             as flushed; block caches are emptied before each answer",
      "  repeat           as flushed; right before each answer the same condition is asked with"
          + " another limit and selection",
      "  shuffled         loaded in no order, 5 HFiles a region that overlap",
      "  memstore-10      10%% of the rows only in memstores",
      "  memstore-50      50%% of the rows only in memstores",
      "  updated-other    20%% of the rows got another column, flushed",
      "  updated-indexed  20%% of the rows got another price, flushed",
      "  mixed            shuffled, 10%% of the rows in memstores, 20%% got another price",
      "  encoded          a family with FAST_DIFF and SNAPPY",
      "  regions-64       64 regions",
      "  rows-20m         13.3 times --rows (20 million by default), of three short columns; block"
          + " caches have room for half of the index files",
      "  all              all of these, one after the other",
      ""
    },
    footerHeading = "%nJSON:%n",
    footer = {
      "  rows             orders in each table; but see states",
      "  regions          regions of each table, where the state does not say",
      "  insert           of the first load, as indexed_after_s and bytes; those of others, and"
          + " layouts,",
      "                   are in states: plain_rows_per_s, spyhop_rows_per_s, ratio (spyhop",
      "                   / plain); plain_flushed_rows_per_s with the time of flushes,",
      "                   spyhop_indexed_rows_per_s until all HFiles are indexed, indexed_ratio",
      "  indexed_after_s  the time that flushes of the indexed table take, and in which index jobs",
      "                   are queued or run while nobody writes: behind flushes and turns",
      "  bytes            after the load: base (HFiles), ifiles, sfiles of the indexed table",
      "  jobs             how the index jobs of all loads waited, those before the first of a layout"
          + " included, a list of:",
      "    kind           FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, PAIRS, ARCHIVE, REMOTE",
      "    jobs, failed   how many ended, how many of them failed",
      "    mean_wait_ms   mean time between being queued and being started",
      "    wait_ms        the distribution: waits at 10%%, 20%% ... 100%% of the jobs",
      "    mean_run_ms    mean time between being started and being ended",
      "  queries          a list of:",
      "    name           Scan-A, MDRQ-A, MDRQ-B, MDRQ-C, MDRQ-D; with LIMIT Narrow-A, -B, Wide-A,"
          + " -B",
      "    state          see above",
      "    layout         CLUSTERING or COLUMNAR",
      "    rows           rows found",
      "    plain_ms       the faster plain scan; times are medians in milliseconds",
      "    spyhop_ms      through Spyhop",
      "    floor_ms       a key-range scan that returns as many rows, by one scanner",
      "    ratio          plain_ms / spyhop_ms",
      "    driving        the index that gave the candidates, or scan",
      "    records_read   index records read",
      "    equal          whether all answers are the same to the last cell",
      "    plain_filter   which plain scan was faster: predicate or scvf",
      "    plain_predicate_ms, plain_scvf_ms  both plain scans",
      "    rereads        rows that were read again from the table to be judged",
      "    floor_regions_ms  a scan of as many rows in each region, one scanner a region",
      "    floor_best_ms  the lower of both floors",
      "    of_floor       spyhop_ms / floor_best_ms",
      "    plain, spyhop  of either side: mb_read (megabytes read from files with an empty block",
      "                   cache), cpu_ms (processor time a query, servers and client), qps",
      "                   (queries a second), p99_ms",
      "  aggregates       of MDRQ-A's rows, a list of:",
      "    name, state, layout  the aggregate; see above",
      "    plain_ms       a plain scan of the columns, which the client counts and adds up",
      "    spyhop_ms      through Spyhop",
      "    ratio, equal   as those of queries",
      "  states           a list of: state, layout, rows, regions, hfiles (of the region with"
          + " most),",
      "                   memstore_mb; insert, indexed_after_s and bytes of its load",
      "  puts             beside queries, a list of:",
      "    name, state, layout  of the query",
      "    plain, spyhop  puts into either table: alone_longest_ms, alone_p99_ms,"
          + " beside_longest_ms,",
      "                   beside_p99_ms, queries (answered meanwhile)",
      "    equal          whether both answers are the same to the last cell"
    })
final class BenchMdrqCommand extends OrdersBenchmark {
  /** The first time, when answers are compared, does not count either. */
  private static final int WARMUPS = 1;

  /** So many turns it takes until the code of the quickest ways is compiled. */
  private static final int WARMING = 4;

  private static final int REPETITIONS = 5;
  private static final int FEWER_REPETITIONS = 3;
  private static final String ALL = "all";

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1500000",
      description = "Orders to load; 1500000 are TPC-H scale factor 1 (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "Measured rounds; the median of all answers is taken (default: 5, and 3 for all"
              + " states).")
  private Optional<Integer> repetitions;

  @Option(
      names = "--turn-ms",
      paramLabel = "MS",
      defaultValue = "250",
      description =
          "How long each way is asked in a round at least, once at least, and four times as long"
              + " before (default: ${DEFAULT-VALUE}).")
  private long turnMillis;

  @Option(
      names = "--state",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "flushed",
      description =
          "States of the data, see above, with commas between them, or all (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> wanted;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      defaultValue = "COLUMNAR",
      description =
          "The layout of the indexes: ${COMPLETION-CANDIDATES}, one after the other (default:"
              + " ${DEFAULT-VALUE}).")
  private Layouts layout;

  private List<JobSummary> jobs = List.of();

  /** Layouts to measure. */
  private enum Layouts {
    CLUSTERING(Layout.CLUSTERING),
    COLUMNAR(Layout.COLUMNAR),
    ALL(Layout.values());

    private final List<Layout> layouts;

    Layouts(Layout... layouts) {
      this.layouts = List.of(layouts);
    }
  }

  @Override
  void check() {
    check(rows);
    atLeast("--repetitions", rounds(), 1);
    atLeast("--turn-ms", turnMillis, 0);
  }

  private int rounds() {
    return repetitions.orElse(states().size() > 1 ? FEWER_REPETITIONS : REPETITIONS);
  }

  @Override
  Row measure(LocalHBase hbase, Connection connection) throws IOException {
    Duration turn = Duration.ofMillis(turnMillis);
    Trial trial = new Trial(WARMUPS, rounds(), turn.multipliedBy(WARMING), turn);
    Progress.Factory bars = new Bars();
    try (MdrqBench bench =
        new MdrqBench(connection, new Servers(hbase::regionServers), rows, regions(), trial)) {
      for (Layout layout : layout.layouts) {
        for (State state : states()) {
          bench.run(layout, state, bars);
          Row soFar = bench.report();
          write(soFar); // whatever comes of the other states
          out().printf("%s, %s%n", since(), MdrqLayout.last(soFar));
          out().flush();
        }
      }
      bench.finish();
      compared(bench.differences());
      jobs = bench.jobs();
      return bench.report();
    }
  }

  private List<State> states() {
    return wanted.equals(List.of(ALL))
        ? List.of(State.values())
        : wanted.stream().map(this::state).toList();
  }

  private State state(String name) {
    return State.of(name)
        .orElseThrow(
            () -> refusal("--state " + name + " is not one of " + State.labels() + " or " + ALL));
  }

  @Override
  void print(Row report) {
    Set<String> printed = new HashSet<>();
    report.rows("states").stream()
        .filter(state -> printed.add(state.text("layout")))
        .forEach(this::printLoad);
    out().println("How long index jobs waited, in seconds (so many of them that long or less):");
    println(JobTable.lines(jobs, WidthOptions.WIDTH));
    println(new MdrqLayout().lines(report));
  }

  /** The first of a layout. */
  private void printLoad(Row load) {
    out()
        .printf(
            "%s insert: %s rows/s plain, %s rows/s with 3 indexes (ratio %s); indexed %s s later"
                + " (ratio until then %s)%n",
            load.text("layout"),
            Texts.count(load.number("insert/plain_rows_per_s")),
            Texts.count(load.number("insert/spyhop_rows_per_s")),
            Texts.ratio(load.number("insert/ratio")),
            load.number("indexed_after_s"),
            Texts.ratio(load.number("insert/indexed_ratio")));
    out()
        .printf(
            "On disk: %s HFiles, %s IFiles, %s SFiles%n",
            Texts.megabytes(load.number("bytes/base")),
            Texts.megabytes(load.number("bytes/ifiles")),
            Texts.megabytes(load.number("bytes/sfiles")));
  }
}
