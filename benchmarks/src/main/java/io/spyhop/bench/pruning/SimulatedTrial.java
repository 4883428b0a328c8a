package io.spyhop.bench.pruning;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.client.internal.prune.Part;
import io.spyhop.client.internal.prune.PrunedQuery;
import io.spyhop.client.internal.prune.PruningCounters;
import io.spyhop.client.internal.prune.StatisticsCache;
import io.spyhop.client.internal.prune.TablePruning;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Decides STRICT queries for a value that no region has on a table of very many regions, which are
 * simulated: cache, requests and decisions are the client's own. The first query asks every region;
 * what is measured are those after it, with writes to some regions between them.
 */
final class SimulatedTrial {
  private static final int SERVERS = 100;
  static final int COLUMNS = 10;

  private static final int DIGEST_REGIONS = 32;
  private static final int QUERIES = 11;
  private static final long CACHE_BYTES = 256L << 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MEGABYTE = 1 << 20;
  private static final int COLLECTIONS = 3;
  private static final long SEED = 35;

  private final int regions;
  private final SimulatedRegions simulated;
  private final SplittableRandom random = new SplittableRandom(SEED);

  SimulatedTrial(int regions, BloomSize bloom) {
    this.regions = regions;
    this.simulated = new SimulatedRegions(regions, SERVERS, COLUMNS, bloom);
  }

  /** One row for each number of regions that are written between two queries. */
  List<Row> run(Progress.Factory progress, List<Integer> written) throws IOException {
    List<HRegionLocation> listed = simulated.locations();
    KeySpace keys =
        new KeySpace(() -> listed, Duration.ofHours(1), System::nanoTime, Runnable::run);
    StatisticsCache cache = new StatisticsCache(CACHE_BYTES, () -> regions);
    List<Row> rows = new ArrayList<>();
    try (Progress shown = progress.start("Simulating " + regions + " regions", written.size());
        ScanPool pool = ScanPool.forThisMachine(new Configuration(false))) {
      TablePruning pruning =
          new TablePruning(
              SimulatedRegions.TABLE,
              keys,
              cache,
              simulated,
              simulated,
              DIGEST_REGIONS,
              new PruningCounters(),
              Duration.ZERO,
              pool,
              System::nanoTime);
      keys.overlapping(List.of());
      double before = heap();
      long start = System.nanoTime();
      ask(pruning, 0);
      double firstMillis = (System.nanoTime() - start) / NANOS_PER_MILLI;
      long firstBytes = simulated.bytes();
      ask(pruning, 0);
      double heap = heap() - before;
      for (int count : written) {
        rows.add(
            measured(pruning, count)
                .and("cache_mb", Numbers.rounded(cache.bytes() / MEGABYTE))
                .and("heap_mb", Numbers.rounded(heap / MEGABYTE))
                .and("first_bytes", firstBytes)
                .and("first_ms", Numbers.rounded(firstMillis)));
        shown.step(1);
      }
    }
    return rows;
  }

  private Row measured(TablePruning pruning, int written) throws IOException {
    List<Double> millis = new ArrayList<>();
    List<Double> bytes = new ArrayList<>();
    List<Double> read = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      for (int w = 0; w < written; w++) {
        simulated.write(random.nextInt(regions));
      }
      long had = simulated.bytes();
      long start = System.nanoTime();
      read.add((double) ask(pruning, i));
      millis.add((System.nanoTime() - start) / NANOS_PER_MILLI);
      bytes.add((double) (simulated.bytes() - had));
    }
    return Row.of("regions", regions)
        .and("columns", COLUMNS)
        .and("simulated", true)
        .and("servers", SERVERS)
        .and("written", written)
        .and("read", Numbers.median(read))
        .and("bytes_per_query", Numbers.median(bytes))
        .and("ms_per_query", Numbers.rounded(Numbers.median(millis)));
  }

  /** How many regions a query for an odd value reads, that no region has. */
  private long ask(TablePruning pruning, int query) throws IOException {
    ColumnName column = simulated.columns().get(query % 2);
    PrunedQuery question =
        new PrunedQuery(
            Binder.bind(
                Predicates.column(column.qualifierText())
                    .eq(2L * random.nextInt(SimulatedRegions.OTHER) + 1),
                new SchemaResolver("simulated", schema(), List.of(SimulatedRegions.FAMILY))),
            List.of(Bytes.toBytes(SimulatedRegions.FAMILY)),
            RowRanges.ALL,
            Consistency.STRICT);
    return pruning.decide(question).stream().filter(p -> !p.isPruned()).map(Part::range).count();
  }

  private IndexSchema schema() {
    return IndexSchema.of(
        simulated.columns().stream()
            .map(
                c ->
                    IndexDefinition.builder(c.qualifierText())
                        .column(c)
                        .type(ValueType.LONG)
                        .build())
            .toList());
  }

  /** Bytes that are in use after collections. */
  static double heap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
