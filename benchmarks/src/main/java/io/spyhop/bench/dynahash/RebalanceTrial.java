package io.spyhop.bench.dynahash;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;

/**
 * A server goes, and one comes that has never had a bucket: where one was a moment ago its index
 * files would still be there. All schemes on one cluster, one after the other; each repetition on a
 * new one.
 */
final class RebalanceTrial {
  /** The scheme with few buckets. */
  static final String DYNAHASH = "dynahash";

  private final BenchCluster.Source clusters;
  private final int rows;
  private final int repetitions;
  private final int staticBuckets;

  RebalanceTrial(BenchCluster.Source clusters, int rows, int repetitions, int staticBuckets) {
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
      try (Scene scene = Scene.start(clusters, rows)) {
        repetition(scene, schemes(scene), progress, all);
      }
    }
    return all.entrySet().stream().map(e -> summary(e.getKey(), e.getValue())).toList();
  }

  private List<Scheme> schemes(Scene scene) {
    return List.of(
        new BucketedScheme(DYNAHASH, scene, DynahashBench.BUCKETS),
        new BucketedScheme("static", scene, staticBuckets),
        new RehashScheme(scene));
  }

  private static void repetition(
      Scene scene,
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
      NavigableSet<ServerName> staying = scene.serversButOne();
      change("remove", schemes, staying, steps, all);
      staying.add(scene.cluster().addServer());
      change("add", schemes, staying, steps, all);
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
