package io.spyhop.bench.pruning;

import io.spyhop.bench.ClientRpcs;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.Answers;
import io.spyhop.client.Consistency;
import io.spyhop.client.internal.prune.ClientPruning;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;

/**
 * Asks Q-55 under the usual write load, STRICT, BATCHED with different intervals between
 * synchronisations (the paper's figure 14), and BOUNDED with statistics of different ages. Not
 * thread-safe.
 */
final class IntervalTrial {
  private static final PaperQuery QUERY = PaperQuery.Q55;

  /** How many of the query's sets of parameters are compared: one may wait for an interval. */
  private static final int COMPARED = 4;

  /** A turn has so many intervals at least. */
  private static final int INTERVALS = 4;

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private final Connection connection;
  private final Dataset data;
  private final ChangingRows rows;
  private final Throughput throughput;
  private final Freshness freshness;
  private final Settings settings;
  private final List<List<TableScan>> instances = QUERY.instances(Settings.INSTANCES);

  IntervalTrial(
      Connection connection,
      Dataset data,
      ChangingRows rows,
      Throughput throughput,
      Settings settings) {
    this.connection = connection;
    this.data = data;
    this.rows = rows;
    this.throughput = throughput;
    this.freshness = new Freshness(new SyncTrial(connection));
    this.settings = settings;
  }

  /** One row for each level and interval. */
  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> measured = new ArrayList<>();
    int points = 1 + settings.intervals().size() + settings.bounds().size();
    try (Progress shown = progress.start("Sync intervals", points)) {
      measured.add(at(Consistency.STRICT, 0));
      shown.step(1);
      for (int millis : settings.intervals()) {
        measured.add(at(Consistency.BATCHED, millis));
        shown.step(1);
      }
      for (int millis : settings.bounds()) {
        measured.add(at(Consistency.bounded(Duration.ofMillis(millis)), millis));
        shown.step(1);
      }
    }
    return measured;
  }

  private Row at(Consistency level, int millis) throws IOException {
    Configuration conf = ClientRpcs.counted(connection.getConfiguration());
    if (level.level() == Consistency.Level.BATCHED) {
      conf.setDouble(ClientPruning.SYNC_INTERVAL, millis);
    }
    String way = level.level().name().toLowerCase(Locale.ROOT);
    Row row =
        Row.of("name", QUERY.title())
            .and("load", way + "-" + millis + "ms")
            .and("way", way)
            .and("millis", millis);
    try (Client client = new Client(conf, data);
        WriteLoad writes = new WriteLoad(connection, data, rows, settings.writeRate())) {
      row.and(costs(client, level, millis));
      row.and(writes.rates());
      row.and(freshness.measure(client.table(SyncTrial.TABLE), level));
      writes.end();
      Pause.of(level.staleness(), "waiting until BOUNDED queries see all writes");
      row.and("equal", row.at("equal").equals(true) && isEqual(client, level));
    }
    rows.putBack(connection);
    return row;
  }

  private Row costs(Client client, Consistency level, int millis) throws IOException {
    Throughput.Asking asking =
        n -> client.ask(instances.get(n % instances.size()), level, row -> {});
    double seconds = Math.max(settings.seconds(), INTERVALS * millis / MILLIS);
    Duration time = Duration.ofNanos(Math.round(seconds * NANOS));
    throughput.run(time.dividedBy(2), asking, new Latency());
    Counters before = client.counters();
    long rpcs = ClientRpcs.count();
    Latency latency = new Latency();
    Throughput.Turn turn = throughput.run(time, asking, latency);
    rpcs = ClientRpcs.count() - rpcs;
    Counters done = client.counters().since(before);
    return Row.of("qps", Numbers.rounded(turn.perSecond()))
        .and("ms", latency.medianMillis())
        .and("sync_ms", Numbers.rounded(done.millisPerRound()))
        .and("sync_bytes", Numbers.rounded(done.bytesPerRound()))
        .and("syncs_per_second", Numbers.rounded(done.rounds() / turn.seconds()))
        .and("rpcs_per_query", perQuery(rpcs, turn))
        .and("sync_rpcs_per_query", perQuery(done.calls(), turn))
        .and("sync_bytes_per_query", perQuery(done.bytes(), turn))
        .and("regions", perQuery(done.regionsRead(), turn));
  }

  private static double perQuery(long total, Throughput.Turn turn) {
    return Numbers.ratio((double) total, (double) turn.queries());
  }

  /** Whether some answers have all rows, changed ones too; nothing is written any more. */
  private boolean isEqual(Client client, Consistency level) throws IOException {
    boolean equal = true;
    for (List<TableScan> instance : instances.subList(0, COMPARED)) {
      List<Result> found = new ArrayList<>();
      client.ask(instance, level, found::add);
      List<Result> expected = new ArrayList<>();
      client.ask(instance, Way.OPS, expected::add);
      equal &= Answers.haveSameValues(expected, found);
    }
    return equal;
  }
}
