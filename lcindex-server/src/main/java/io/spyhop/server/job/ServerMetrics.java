package io.spyhop.server.job;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** Counters of one server in HBase's own registry, so that JMX and /prometheus show them. */
public final class ServerMetrics {
  /** Index jobs that ended well. */
  public final Counter finishedJobs;

  /** Index jobs that failed and are retried. */
  public final Counter failedJobs;

  /** Queries answered from an index. */
  public final Counter indexedQueries;

  /** Queries that went to the plain scan although they carry a predicate. */
  public final Counter fallbacks;

  private final Map<Fallback, Counter> fallbacksByReason = new EnumMap<>(Fallback.class);

  /** Index records read. */
  public final Counter records;

  /** Rows considered after judging records. */
  public final Counter candidates;

  /** Rows read again from the region. */
  public final Counter rereads;

  /** Unexpected exceptions while reading an index; the query went on as a scan. */
  public final Counter defects;

  /** Counters in a registry. */
  public ServerMetrics(MetricRegistry registry) {
    finishedJobs = registry.counter("spyhopFinishedJobs");
    failedJobs = registry.counter("spyhopFailedJobs");
    indexedQueries = registry.counter("spyhopIndexedQueries");
    fallbacks = registry.counter("spyhopFallbacks");
    for (Fallback f : Fallback.values()) {
      fallbacksByReason.put(f, registry.counter("spyhopFallbacks_" + f));
    }
    records = registry.counter("spyhopRecords");
    candidates = registry.counter("spyhopCandidates");
    defects = registry.counter("spyhopDefects");
    rereads = registry.counter("spyhopRereads");
  }

  /** Counts a query that is a plain scan after all. */
  public void fallBack(Fallback reason) {
    fallbacks.increment();
    fallbacks(reason).increment();
  }

  /** The counter of one reason. */
  public Counter fallbacks(Fallback reason) {
    return fallbacksByReason.get(reason);
  }
}
