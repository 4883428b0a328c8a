package io.spyhop.server.job;

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
    records = registry.counter("spyhopRecords");
    candidates = registry.counter("spyhopCandidates");
    defects = registry.counter("spyhopDefects");
    rereads = registry.counter("spyhopRereads");
  }
}
