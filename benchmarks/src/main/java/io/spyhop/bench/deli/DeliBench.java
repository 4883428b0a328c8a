package io.spyhop.bench.deli;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Row;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Measures deferred against synchronous maintenance of global indexes, as section VI of the DELI
 * paper does. Each part has a cluster of its own.
 */
public final class DeliBench {
  /** How old a finding has to be before the servers delete an entry for it. */
  private static final String GRACE = "spyhop.global.grace.ms";

  private final BenchCluster.Source clusters;
  private final Function<Connection, Product> products;
  private final Settings settings;

  /** Sets it up; starts nothing. */
  public DeliBench(
      BenchCluster.Source clusters, Function<Connection, Product> products, Settings settings) {
    this.clusters = clusters;
    this.products = products;
    this.settings = settings;
  }

  /** Measures everything. */
  public Row run(Progress.Factory progress) throws IOException {
    Map<Mode, WriteSide> sides = new EnumMap<>(Mode.class);
    List<Row> reads = new ArrayList<>();
    List<Row> mixed =
        on(
            settings.graceMillis(),
            scene -> {
              sides.putAll(new WriteTrial(scene).run(progress));
              List<Row> mixtures = new MixedTrial(scene).run(progress);
              reads.addAll(new ReadTrial(scene, products).run(progress));
              return mixtures;
            });
    List<Row> compaction = on(0, scene -> new CompactionTrial(scene).run(progress));
    return Row.of("write", rates(sides, WriteSide::rate))
        .and("p99_ms", byMode(sides, "", s -> s.batches.p99Millis()))
        .and("mixed", mixed)
        .and("reads", reads)
        .and("compaction", compaction)
        .and(
            "online_block_reads",
            Row.of("deferred", sides.get(Mode.DEFERRED).onlineBlocks())
                .and("sync", sides.get(Mode.SYNC).onlineBlocks()))
        .and("p50_ms", byMode(sides, "", s -> s.batches.medianMillis()))
        .and("write_drained", rates(sides, WriteSide::drainedRate))
        .and(
            "singles",
            Row.of("write", rates(sides, WriteSide::singleRate))
                .and("p50_ms", byMode(sides, "", s -> s.singles.medianMillis()))
                .and("p99_ms", byMode(sides, "", s -> s.singles.p99Millis())))
        .and(
            "overhead",
            sides.entrySet().stream().map(e -> e.getValue().overhead(e.getKey())).toList())
        .and("settings", settings);
  }

  /** A figure of each table. */
  private static Row byMode(
      Map<Mode, WriteSide> sides, String suffix, ToDoubleFunction<WriteSide> figure) {
    Row row = Row.of(Map.of());
    sides.forEach((mode, side) -> row.and(mode.text() + suffix, figure.applyAsDouble(side)));
    return row;
  }

  private static Row rates(Map<Mode, WriteSide> sides, ToDoubleFunction<WriteSide> rate) {
    Row rates = byMode(sides, "_ops", rate);
    return rates.and(
        "ratio", Numbers.ratio(rates.number("deferred_ops"), rates.number("sync_ops")));
  }

  private List<Row> on(long graceMillis, IoFunction<Scene, List<Row>> work) throws IOException {
    try (BenchCluster cluster = clusters.start(Map.of(GRACE, Long.toString(graceMillis)));
        Product product = products.apply(cluster.connection());
        PutLoader writer = new PutLoader(cluster.connection())) {
      Placement.freeze(cluster.connection());
      return work.apply(new Scene(cluster, product, writer, settings));
    }
  }
}
