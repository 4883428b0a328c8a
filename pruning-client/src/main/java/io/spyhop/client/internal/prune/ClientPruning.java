package io.spyhop.client.internal.prune;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.conf.CheckedSettings;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Partition pruning of all tables of one client. Thread-safe. */
public final class ClientPruning {
  /** Whether queries leave out regions at all. */
  public static final String ENABLED = "spyhop.pruning.enabled";

  /** What the statistics of all regions may take in this client's memory. */
  public static final String CACHE_BYTES = "spyhop.pruning.cache.bytes";

  /** The least milliseconds between requests for batched queries; fractions are allowed. */
  public static final String SYNC_INTERVAL = "spyhop.pruning.sync.interval.ms";

  /** Of how many regions a query asks their server for a digest, and not the regions. */
  public static final String DIGEST_REGIONS = "spyhop.pruning.digest.regions";

  /** How long queries wait for the statistics of regions before they read them. */
  public static final String SYNC_TIMEOUT = "spyhop.pruning.sync.timeout.ms";

  /** Of this, a quarter of the heap at most. */
  private static final long DEFAULT_CACHE_BYTES = 256L << 20;

  private static final int DEFAULT_DIGEST_REGIONS = 32;
  private static final int MOST_DIGEST_REGIONS = 1_000_000;
  private static final int HEAP_PART = 4;
  private static final double DEFAULT_INTERVAL = 6;
  private static final double MOST_INTERVAL = 60_000;
  private static final int DEFAULT_TIMEOUT = 2_000;
  private static final int COUNTED_TABLES = 1_000;

  /** Boundaries only say where to cut the work: old ones cost speed, not rows. */
  private static final Duration BOUNDARIES_AGE = Duration.ofSeconds(10);

  private final Connection connection;
  private final ScanPool pool;
  private final Executor beside;
  private final boolean enabled;
  private final Duration interval;
  private final Duration timeout;
  private final int digestRegions;
  private final StatisticsCache cache;

  /** Tables that are in use; what regions of others answered ages in the cache. */
  private final Cache<TableName, TablePruning> tables = Caffeine.newBuilder().weakValues().build();

  /** What was counted stays when a table is not in use; that of the tables used last. */
  private final Cache<TableName, PruningCounters> counted =
      Caffeine.newBuilder().maximumSize(COUNTED_TABLES).build();

  /**
   * @param connection whose configuration may have the settings above
   * @param pool asks for statistics that no query waits for
   * @param beside asks for boundaries, which may take long
   */
  public ClientPruning(Connection connection, ScanPool pool, Executor beside) {
    this.connection = connection;
    this.pool = pool;
    this.beside = beside;
    CheckedSettings set = new CheckedSettings(connection.getConfiguration());
    this.enabled = set.flag(ENABLED, true);
    double millis = set.decimal(SYNC_INTERVAL, DEFAULT_INTERVAL, 0, MOST_INTERVAL);
    this.interval = Duration.ofNanos((long) (millis * TimeUnit.MILLISECONDS.toNanos(1)));
    this.timeout = Duration.ofMillis(set.millis(SYNC_TIMEOUT, DEFAULT_TIMEOUT, 1));
    this.digestRegions =
        set.integer(DIGEST_REGIONS, DEFAULT_DIGEST_REGIONS, 1, MOST_DIGEST_REGIONS);
    long usual = Math.min(DEFAULT_CACHE_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    this.cache = new StatisticsCache(set.memory(CACHE_BYTES, usual, 0), this::listed);
  }

  private int listed() {
    return tables.asMap().values().stream().mapToInt(t -> t.keys().listed()).sum();
  }

  /** Whether queries may leave out regions. */
  public boolean isEnabled() {
    return enabled;
  }

  /** The pruning that all queries of this client on a table share. */
  public TablePruning of(TableName table) {
    return tables.get(table, this::create);
  }

  private TablePruning create(TableName table) {
    PruningCounters counters = counted.get(table, t -> new PruningCounters());
    RegionSummaryCalls calls =
        new RegionSummaryCalls(new RegionCalls(connection), table, timeout, counters);
    return new TablePruning(
        table,
        KeySpace.of(connection, table, BOUNDARIES_AGE, beside),
        cache,
        calls,
        calls,
        digestRegions,
        counters,
        interval,
        pool,
        System::nanoTime);
  }
}
