package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A server goes, and one comes that has never had a bucket: where one was a moment ago its index
 * files would still be there. All schemes on one cluster, one after the other; each repetition on a
 * new one.
 */
final class RebalanceTrial {
  /** The scheme with few buckets. */
  static final String DYNAHASH = "dynahash";

  private final ElasticCluster.Source clusters;
  private final int rows;
  private final int repetitions;
  private final int staticBuckets;

  RebalanceTrial(ElasticCluster.Source clusters, int rows, int repetitions, int staticBuckets) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
    this.staticBuckets = staticBuckets;
  }

  /** One kind of change under one scheme. */
  private record Kind(String scheme, String change) {}

  List<Row> run(Progress.Factory progress) throws IOException {
    Map<Kind, List<Scheme.Outcome>> all = new LinkedHashMap<>();
    for (int i = 0; i < repetitions; i++) {
      try (ElasticCluster cluster = clusters.start();
          Spyhop spyhop = Spyhop.connect(cluster.connection())) {
        Placement.freeze(cluster.connection());
        repetition(cluster, schemes(cluster.connection(), spyhop), progress, all);
      }
    }
    return all.entrySet().stream().map(e -> summary(e.getKey(), e.getValue())).toList();
  }

  private List<Scheme> schemes(Connection connection, Spyhop spyhop) {
    return List.of(
        new BucketedScheme(DYNAHASH, connection, spyhop, DynahashBench.BUCKETS, rows),
        new BucketedScheme("static", connection, spyhop, staticBuckets, rows),
        new RehashScheme(connection, spyhop, rows));
  }

  private static void repetition(
      ElasticCluster cluster,
      List<Scheme> schemes,
      Progress.Factory progress,
      Map<Kind, List<Scheme.Outcome>> all)
      throws IOException {
    try (Progress steps = progress.start("Loading tables of all schemes", schemes.size())) {
      for (Scheme scheme : schemes) {
        scheme.load();
        steps.step(1);
      }
    }
    try (Progress steps = progress.start("Rebalancing", 2L * schemes.size())) {
      NavigableSet<ServerName> staying = servers(cluster.connection());
      staying.pollLast();
      change("remove", schemes, staying, steps, all);
      staying.add(cluster.addServer());
      change("add", schemes, staying, steps, all);
    }
  }

  /** All region servers, in the same order each time. */
  static NavigableSet<ServerName> servers(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new TreeSet<>(admin.getRegionServers());
    }
  }

  private static void change(
      String change,
      List<Scheme> schemes,
      Set<ServerName> staying,
      Progress steps,
      Map<Kind, List<Scheme.Outcome>> all)
      throws IOException {
    for (Scheme scheme : schemes) {
      all.computeIfAbsent(new Kind(scheme.name(), change), k -> new ArrayList<>())
          .add(scheme.spread(new HashSet<>(staying)));
      steps.step(1);
    }
  }

  private static Row summary(Kind kind, List<Scheme.Outcome> outcomes) {
    Scheme.Outcome most =
        outcomes.stream()
            .max(
                Comparator.comparingDouble(
                    o -> Numbers.ratio((double) o.bytes(), (double) o.least())))
            .orElseThrow();
    return Row.of("scheme", kind.scheme())
        .and("change", kind.change())
        .and("seconds", Numbers.median(outcomes.stream().map(Scheme.Outcome::seconds).toList()))
        .and("bytes_moved", most.bytes())
        .and("least_bytes", most.least())
        .and("balance", outcomes.stream().mapToDouble(Scheme.Outcome::balance).max().orElse(0))
        .and(
            "missing_index_files",
            outcomes.stream().mapToLong(Scheme.Outcome::missing).max().orElse(0))
        .and("buckets_moved", most.buckets())
        .and(
            "blocked_ms",
            outcomes.stream().mapToLong(Scheme.Outcome::blockedMillis).max().orElse(0))
        .and("equal", outcomes.stream().allMatch(Scheme.Outcome::equal));
  }
}
