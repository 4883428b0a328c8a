package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.job.Backoff;
import io.spyhop.server.job.Job;
import io.spyhop.server.job.JobKind;
import io.spyhop.server.job.Pacer;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the statistics of one region complete: has read what was not watched when it was written,
 * as bulk-loaded HFiles and those that are older than the column's declaration. Thread-safe.
 */
final class StatisticsJobs implements RegionStatistics.Readings {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsJobs.class);

  private final IndexService service;
  private final HRegion region;
  private final RegionStatistics statistics;
  private final BooleanSupplier cancelled;
  private final Backoff backoff;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();

  /**
   * @param cancelled whether the region closes or the server stops
   */
  StatisticsJobs(
      IndexService service,
      HRegion region,
      RegionStatistics statistics,
      BooleanSupplier cancelled,
      LongSupplier clock) {
    this.service = service;
    this.region = region;
    this.statistics = statistics;
    this.cancelled = cancelled;
    this.backoff = new Backoff(clock);
    statistics.readBy(this);
  }

  /** Queues jobs for what is missing. One thread at a time. */
  void reconcile() throws IOException {
    if (!statistics.isOn()) {
      return;
    }
    statistics.reconcile();
    Set<String> wanted = new HashSet<>();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : statistics.missingFiles(store)) {
        queue(file.getPath().getName(), wanted, () -> read(store, file));
      }
      if (statistics.isMemstoreMissing(store)) {
        queue(memstore(store), wanted, () -> statistics.reader(store).readMemstore(cancelled));
      }
    }
    backoff.retainOnly(wanted);
  }

  private String memstore(HStore store) {
    return "memstore of "
        + region.getRegionInfo().getEncodedName()
        + "/"
        + store.getColumnFamilyName();
  }

  private void read(HStore store, HStoreFile file) throws IOException {
    Pacer pacer = service.newPacer();
    statistics
        .reader(store)
        .read(
            file,
            () -> {
              pacer.pace();
              return cancelled.getAsBoolean();
            });
  }

  private void queue(String subject, Set<String> wanted, IoRunnable work) {
    wanted.add(subject);
    if (!backoff.mayTry(subject) || !pending.add(subject)) {
      return;
    }
    Job job = new Job(JobKind.STATISTICS, subject, List.of(), () -> run(subject, work));
    if (!service.submit(List.of(job))) {
      pending.remove(subject);
    }
  }

  private void run(String subject, IoRunnable work) throws IOException {
    try {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("the region closes");
      }
      work.run();
      service.metrics().statisticsReads.increment();
      backoff.succeeded(subject);
    } catch (CancellationException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      backoff.failed(subject, e.toString());
      LOG.warn("Gathering statistics of {} in {} failed, will be retried", subject, region, e);
      throw e;
    } finally {
      pending.remove(subject);
    }
  }

  @Override
  public int pending() {
    return pending.size();
  }

  @Override
  public String lastError() {
    return backoff.lastError();
  }
}
