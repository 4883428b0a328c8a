package io.spyhop.server.metrics;

import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * The metrics of one server, in HBase's own registry, so that JMX and /prometheus show them; {@code
 * docs/operations.md} explains each. Thread-safe.
 */
public final class ServerMetrics {
  /** Index jobs that ended well. */
  public final Counter finishedJobs;

  /** Index jobs that failed and are retried. */
  public final Counter failedJobs;

  /** Index files merged from those of a compaction's inputs. */
  public final Counter mergedFiles;

  /** Index files of a compacted HFile that were built by reading it. */
  public final Counter rebuiltFiles;

  /** Index files that were built while their HFile was written. */
  public final Counter streamedFiles;

  /** HFiles that are being written, or wait for their job, with index files that are built so. */
  public final Counter streams;

  /** Index files copied from other servers. */
  public final Counter fetchedFiles;

  /** Bytes of index files that came from other servers. */
  public final Counter fetchedBytes;

  /** Bytes of index files that went to other servers. */
  public final Counter servedBytes;

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

  /** Region scans that left out rows by the statistics of the HFiles that hold them. */
  public final Counter segmentedScans;

  /** Scans whose rows were taken into an aggregate. */
  public final Counter aggregatedScans;

  /** Rows taken into aggregates by the values of columnar files. */
  public final Counter columnarRows;

  /** Limited scans that found few rows, so that an index went on. */
  public final Counter scansTakenOver;

  /** Scans of whose region the client knew the memstore to be empty, and it was. */
  public final Counter emptyMemstores;

  /** The same, but the memstore was not empty any more; it is read as ever. */
  public final Counter filledMemstores;

  /** Logs of writes that were dropped for want of room: their memstores are read cell by cell. */
  public final Counter droppedLogs;

  /** Statistics that had no room and are kept coarser, or whose log was dropped. */
  public final Counter coarseStatistics;

  /** HFiles and memstores that were read for the statistics of their columns. */
  public final Counter statisticsReads;

  /** Unexpected exceptions while reading an index; the query went on as a scan. */
  public final Counter defects;

  /** Scans of a store that read several HFiles through a sorted view. */
  public final Counter viewScans;

  /** Sorted views made by merging all HFiles. */
  public final Counter mergedViews;

  /** Sorted views made of an older one and new HFiles. */
  public final Counter extendedViews;

  /** Sorted views that were damaged, or said what is not so; they were dropped. */
  public final Counter damagedViews;

  /** Sorted views that were not made or not used because they are too large. */
  public final Counter unusedViews;

  /** Bytes of HFiles and of views that were read to make and to take up views. */
  public final Counter viewReadBytes;

  /** Microseconds of CPU time that jobs took to make and to take up views. */
  public final Counter viewCpuMicros;

  /** The time that region scans with a predicate took in their region. */
  public final Histogram queryMicros;

  /** Comparisons of what is kept with what should be that failed, or could do nothing. */
  public final Counter failedComparisons;

  private final MetricRegistry registry;
  private final Map<JobKind, Histogram> waits = new EnumMap<>(JobKind.class);
  private final Map<JobKind, Histogram> runs = new EnumMap<>(JobKind.class);

  /** Counters in a registry. */
  public ServerMetrics(MetricRegistry registry) {
    this.registry = registry;
    finishedJobs = registry.counter("spyhopFinishedJobs");
    failedJobs = registry.counter("spyhopFailedJobs");
    mergedFiles = registry.counter("spyhopMergedFiles");
    rebuiltFiles = registry.counter("spyhopRebuiltFiles");
    streamedFiles = registry.counter("spyhopStreamedFiles");
    streams = registry.counter("spyhopStreams");
    fetchedFiles = registry.counter("spyhopFetchedFiles");
    fetchedBytes = registry.counter("spyhopFetchedBytes");
    servedBytes = registry.counter("spyhopServedBytes");
    indexedQueries = registry.counter("spyhopIndexedQueries");
    fallbacks = registry.counter("spyhopFallbacks");
    for (Fallback f : Fallback.values()) {
      fallbacksByReason.put(f, registry.counter("spyhopFallbacks_" + f));
    }
    records = registry.counter("spyhopRecords");
    candidates = registry.counter("spyhopCandidates");
    defects = registry.counter("spyhopDefects");
    scansTakenOver = registry.counter("spyhopScansTakenOver");
    segmentedScans = registry.counter("spyhopSegmentedScans");
    aggregatedScans = registry.counter("spyhopAggregatedScans");
    columnarRows = registry.counter("spyhopColumnarRows");
    emptyMemstores = registry.counter("spyhopEmptyMemstores");
    filledMemstores = registry.counter("spyhopFilledMemstores");
    droppedLogs = registry.counter("spyhopMemstoreLogsDropped");
    coarseStatistics = registry.counter("spyhopCoarseStatistics");
    statisticsReads = registry.counter("spyhopStatisticsReads");
    rereads = registry.counter("spyhopRereads");
    viewScans = registry.counter("spyhopViewScans");
    mergedViews = registry.counter("spyhopMergedViews");
    extendedViews = registry.counter("spyhopExtendedViews");
    damagedViews = registry.counter("spyhopDamagedViews");
    unusedViews = registry.counter("spyhopUnusedViews");
    viewReadBytes = registry.counter("spyhopViewReadBytes");
    viewCpuMicros = registry.counter("spyhopViewCpuMicros");
    queryMicros = registry.histogram("spyhopQueryMicros");
    failedComparisons = registry.counter("spyhopFailedComparisons");
    for (JobKind kind : JobKind.values()) {
      waits.put(kind, registry.histogram("spyhopJobWaitMs_" + kind));
      runs.put(kind, registry.histogram("spyhopJobRunMs_" + kind));
    }
  }

  /**
   * Shows what is behind.
   *
   * @param waiting jobs that wait
   * @param unusable whether no index files can be kept
   * @param room bytes that are free for them; NaN if nobody knows
   */
  public void observe(
      Supplier<Backlog> backlog,
      IntSupplier waiting,
      BooleanSupplier unusable,
      DoubleSupplier room) {
    gauge("spyhopUncoveredFiles", () -> backlog.get().files());
    gauge("spyhopUncoveredBytes", () -> backlog.get().bytes());
    gauge("spyhopDeferredFiles", () -> backlog.get().deferred());
    gauge("spyhopUndecodableCells", () -> backlog.get().undecodable());
    gauge("spyhopWaitingJobs", waiting::getAsInt);
    gauge("spyhopDirectoryUnusable", () -> unusable.getAsBoolean() ? 1 : 0);
    gauge("spyhopDirectoryRoom", room::getAsDouble);
  }

  /** Shows how many bytes of memory sorted views take. */
  public void observeViews(LongSupplier bytes) {
    gauge("spyhopViewBytes", bytes::getAsLong);
  }

  /** Shows how many bytes logs of writes take. */
  public void observeLogs(LongSupplier bytes) {
    gauge("spyhopMemstoreLogBytes", bytes::getAsLong);
  }

  /** Shows how many bytes statistics and their logs take. */
  public void observeStatistics(LongSupplier bytes) {
    gauge("spyhopStatisticsBytes", bytes::getAsLong);
  }

  /** Shows how many bytes of memory queries hold. */
  public void observeQueries(LongSupplier bytes) {
    gauge("spyhopQueryMemoryBytes", bytes::getAsLong);
  }

  /** Shows of how many blocks queries knew what a condition finds there, and of how many not. */
  public void observeMatches(LongSupplier known, LongSupplier unknown) {
    gauge("spyhopKnownMatches", known::getAsLong);
    gauge("spyhopUnknownMatches", unknown::getAsLong);
  }

  private <T> void gauge(String name, Gauge<T> value) {
    registry.register(name, value);
  }

  public void ended(Job job) {
    waits.get(job.kind()).update(job.waited());
    runs.get(job.kind()).update(job.ran());
    if (job.state() == Job.State.DONE) {
      finishedJobs.increment();
    } else if (job.state() == Job.State.FAILED) {
      failedJobs.increment();
    }
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
