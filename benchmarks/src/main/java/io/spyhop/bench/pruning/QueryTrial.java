package io.spyhop.bench.pruning;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.Answers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;

/**
 * Asks a query without pruning, with it, and with it BOUNDED, in turns O P B B P O, and compares
 * the answers. Not thread-safe.
 */
final class QueryTrial {
  private static final List<Way> WAYS = List.of(Way.OPS, Way.STRICT, Way.BOUNDED);

  /** All that is compared with OPS. BOUNDED comes first: the others leave it young statistics. */
  private static final List<Way> PRUNED = List.of(Way.BOUNDED, Way.STRICT, Way.BATCHED);

  private static final int WARMUPS = 2;

  /** Statistics of this age are asked for by any query. */
  private static final Duration OLD = Duration.ofMillis(300);

  private static final double NANOS = 1e9;

  private final BenchCluster cluster;
  private final Dataset data;
  private final Client client;
  private final Oracle oracle;
  private final Throughput throughput;
  private final Settings settings;
  private final Map<TableScan, List<Result>> answers = new HashMap<>();

  QueryTrial(
      BenchCluster cluster,
      Dataset data,
      Client client,
      Oracle oracle,
      Throughput throughput,
      Settings settings) {
    this.cluster = cluster;
    this.data = data;
    this.client = client;
    this.oracle = oracle;
    this.throughput = throughput;
    this.settings = settings;
  }

  /** One side's turns. */
  private static final class Side {
    private final List<Double> rates = new ArrayList<>();
    private final Latency latency = new Latency();
    private long queries;
    private Counters counters = Counters.NONE;

    double perQuery(long total) {
      return Numbers.ratio((double) total, (double) queries);
    }
  }

  /**
   * Measures a query.
   *
   * @param instances the query with different parameters, asked in turns
   * @param rounds turns of each side
   */
  Row run(String name, String load, List<List<TableScan>> instances, int rounds)
      throws IOException {
    Map<Way, Side> sides = turns(instances, rounds);
    boolean equal = true;
    for (TableScan scan : scans(instances)) {
      List<Result> expected = expected(scan);
      equal &= expected.size() == oracle.rows(scan) && isEqual(scan, expected, all -> all);
    }
    return measured(name, load, instances, sides, equal);
  }

  /**
   * Measures a query while rows are written. Meanwhile the rows of answers that nobody writes are
   * compared, and all rows once writing has ended, with those that a plain scan finds then.
   *
   * @param writes run since a moment ago, and are ended here
   */
  Row underWrites(
      String name, String load, List<List<TableScan>> instances, int rounds, WriteLoad writes)
      throws IOException {
    List<TableScan> scans = scans(instances);
    Map<Way, Side> sides = turns(instances, rounds);
    Row rates = writes.rates();
    boolean equal = true;
    for (TableScan scan : scans) {
      equal &= isEqual(scan, expected(scan), all -> writes.rows().others(scan.table(), all));
    }
    writes.end();
    Pause.of(Settings.BOUND, "waiting until BOUNDED queries see all writes");
    equal &= areEqualNow(scans);
    Row measured = measured(name, load, instances, sides, equal);
    measured.row("query").and(rates);
    return measured.and("written", rates.at("write_reached"));
  }

  /**
   * Has the client learn that regions have been compacted: statistics that leave nothing out are
   * not waited for, and the first queries after it would read more than later ones.
   */
  void renew(List<List<TableScan>> instances) throws IOException {
    for (int i = 0; i < WARMUPS; i++) {
      Pause.of(OLD, "waiting until statistics are old");
      for (TableScan scan : scans(instances)) {
        client.rows(scan, Way.STRICT);
      }
    }
  }

  private static List<TableScan> scans(List<List<TableScan>> instances) {
    return instances.stream().flatMap(List::stream).distinct().toList();
  }

  private Map<Way, Side> turns(List<List<TableScan>> instances, int rounds) throws IOException {
    Map<Way, Side> sides = new EnumMap<>(Way.class);
    WAYS.forEach(w -> sides.put(w, new Side()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < WAYS.size(); i++) {
        Way way = WAYS.get(round % 2 == 0 ? i : WAYS.size() - 1 - i);
        turn(way, instances, sides.get(way));
      }
    }
    return sides;
  }

  /** The first queries of a JVM are slow; nobody shall pay for them. */
  void warmUp(List<List<TableScan>> instances) throws IOException {
    for (int round = 0; round < WARMUPS; round++) {
      for (Way way : List.of(Way.OPS, Way.STRICT, Way.BATCHED, Way.BOUNDED)) {
        turn(way, instances, new Side());
      }
    }
  }

  private void turn(Way way, List<List<TableScan>> instances, Side side) throws IOException {
    Counters before = client.counters();
    Throughput.Turn turn =
        throughput.run(
            Duration.ofNanos(Math.round(settings.seconds() * NANOS)),
            number -> client.ask(instances.get(number % instances.size()), way, row -> {}),
            side.latency);
    side.counters = side.counters.plus(client.counters().since(before));
    side.queries += turn.queries();
    side.rates.add(turn.perSecond());
  }

  /** Data blocks of HFiles that a query reads, the mean over the parameters. */
  private double blocks(Way way, List<List<TableScan>> instances) throws IOException {
    long before = cluster.dataBlocksRead();
    for (List<TableScan> instance : instances) {
      client.ask(instance, way, row -> {});
    }
    return Numbers.ratio((double) (cluster.dataBlocksRead() - before), instances.size());
  }

  /**
   * Whether all ways give an answer.
   *
   * @param compared the rows of an answer that are
   */
  private boolean isEqual(TableScan scan, List<Result> answer, UnaryOperator<List<Result>> compared)
      throws IOException {
    List<Result> expected = compared.apply(answer);
    boolean equal = true;
    for (Way way : PRUNED) {
      equal &= Answers.haveSameValues(expected, compared.apply(client.rows(scan, way)));
    }
    return equal;
  }

  /** The same for all rows as they are now, which need not be as they were. */
  private boolean areEqualNow(List<TableScan> scans) throws IOException {
    Oracle now = Oracle.ask(cluster.connection(), data, scans);
    boolean equal = true;
    for (TableScan scan : scans) {
      List<Result> rows = client.rows(scan, Way.OPS);
      equal &= rows.size() == now.rows(scan) && isEqual(scan, rows, all -> all);
    }
    return equal;
  }

  /** The answer without pruning; changed rows are put back after each load, so it stays. */
  private List<Result> expected(TableScan scan) throws IOException {
    List<Result> known = answers.get(scan);
    if (known == null) {
      known = client.rows(scan, Way.OPS);
      answers.put(scan, known);
    }
    return known;
  }

  private Row measured(
      String name,
      String load,
      List<List<TableScan>> instances,
      Map<Way, Side> sides,
      boolean equal)
      throws IOException {
    Side ops = sides.get(Way.OPS);
    Side pps = sides.get(Way.STRICT);
    Side bounded = sides.get(Way.BOUNDED);
    Counters done = pps.counters;
    boolean isRead = load.equals(PruningBench.READ_ONLY);
    double regions = regions(instances.get(0));
    double oracleRegions = instances.stream().mapToInt(oracle::regions).average().orElse(0);
    Row query =
        Row.of("name", name)
            .and("load", load)
            .and("ops_regions", regions)
            .and("pps_regions", pps.perQuery(done.regionsRead()))
            .and("ops_memstores", regions)
            .and("pps_memstores", pps.perQuery(done.regionsRead() - done.memstoresSkipped()))
            .and("oracle_regions", Numbers.rounded(oracleRegions))
            .and("ops_qps", Numbers.median(ops.rates))
            .and("pps_qps", Numbers.median(pps.rates))
            .and("bounded_regions", bounded.perQuery(bounded.counters.regionsRead()))
            .and("bounded_qps", Numbers.median(bounded.rates))
            .and("equal", equal);
    return Row.of("query", query)
        .and("ops_ms", ops.latency.medianMillis())
        .and("pps_ms", pps.latency.medianMillis())
        .and("ops_blocks", isRead ? blocks(Way.OPS, instances) : 0.0)
        .and("pps_blocks", isRead ? blocks(Way.STRICT, instances) : 0.0)
        .and("sync_ms", Numbers.rounded(done.millisPerRound()))
        .and("sync_bytes", Numbers.rounded(done.bytesPerRound()))
        .and("syncs_per_query", pps.perQuery(done.rounds()))
        .and("bounded_ms", bounded.latency.medianMillis())
        .and("bounded_syncs_per_query", bounded.perQuery(bounded.counters.rounds()))
        .and("written", 0.0);
  }

  private int regions(List<TableScan> query) throws IOException {
    int regions = 0;
    try (Admin admin = cluster.connection().getAdmin()) {
      for (TableScan scan : query) {
        regions += admin.getRegions(data.name(scan.table())).size();
      }
    }
    return regions;
  }
}
