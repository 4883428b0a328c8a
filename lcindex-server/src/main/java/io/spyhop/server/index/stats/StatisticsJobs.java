package io.spyhop.server.index.stats;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.Backoff;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import io.spyhop.server.runtime.Pacer;
import io.spyhop.server.runtime.ServerRuntime;
import io.spyhop.server.runtime.Upkeep;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the statistics of one region complete: has read what was not watched when it was written,
 * as bulk-loaded HFiles and those that are older than the column's declaration. Thread-safe.
 */
final class StatisticsJobs implements RegionStatistics.Readings, Upkeep, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsJobs.class);

  private final ServerRuntime runtime;
  private final ServerMetrics metrics;
  private final HRegion region;
  private final RegionStatistics statistics;
  private final Backoff backoff;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile boolean closed;

  StatisticsJobs(
      ServerRuntime runtime, ServerMetrics metrics, HRegion region, RegionStatistics statistics) {
    this.runtime = runtime;
    this.metrics = metrics;
    this.region = region;
    this.statistics = statistics;
    this.backoff = new Backoff(runtime.clock());
    statistics.readBy(this);
    runtime.keep(this);
  }

  /** Has the sources compared soon, off the calling thread. */
  @Override
  public void changed() {
    runtime.soon(this);
  }

  private boolean isCancelled() {
    return closed || region.isClosing() || region.isClosed() || runtime.isStopping();
  }

  /** Has side files looked at, then queues jobs for what is still missing. */
  @Override
  public boolean reconcile() {
    if (isCancelled() || !statistics.isOn()) {
      return true;
    }
    if (looking.get()) {
      return false;
    }
    if (statistics.isBehind()) {
      looking.set(true);
      runtime.aside(this::look);
      return false;
    }
    return queueMissing();
  }

  /** Off the thread that compares, as the file system may let it wait. */
  private void look() {
    boolean done = false;
    try {
      if (!isCancelled()) {
        statistics.reconcile();
        done = true;
      }
    } catch (IOException e) {
      runtime.complaints().warn(LOG, "Looking at the statistics of HFiles", table(), region, e);
    } finally {
      looking.set(false);
    }
    if (done) {
      changed();
    }
  }

  /** Returns whether nothing is missing. */
  private boolean queueMissing() {
    Set<String> wanted = new HashSet<>();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : statistics.missingFiles(store)) {
        queue(file.getPath().getName(), wanted, () -> read(store, file));
      }
      if (statistics.isMemstoreMissing(store)) {
        queue(
            memstore(store),
            wanted,
            () -> statistics.reader(store).readMemstore(this::isCancelled));
      }
    }
    backoff.retainOnly(wanted);
    return wanted.isEmpty();
  }

  @Override
  public TableName table() {
    return region.getTableDescriptor().getTableName();
  }

  private String memstore(HStore store) {
    return "memstore of "
        + region.getRegionInfo().getEncodedName()
        + "/"
        + store.getColumnFamilyName();
  }

  private void read(HStore store, HStoreFile file) throws IOException {
    Pacer pacer = runtime.newPacer();
    statistics
        .reader(store)
        .read(
            file,
            () -> {
              pacer.pace();
              return isCancelled();
            });
  }

  private void queue(String subject, Set<String> wanted, IoRunnable work) {
    wanted.add(subject);
    if (!backoff.mayTry(subject) || !pending.add(subject)) {
      return;
    }
    Job job = new Job(JobKind.STATISTICS, subject, List.of(), () -> run(subject, work));
    if (!runtime.submit(List.of(job))) {
      pending.remove(subject);
    }
  }

  private void run(String subject, IoRunnable work) throws IOException {
    try {
      if (isCancelled()) {
        throw new CancellationException("the region closes");
      }
      work.run();
      metrics.statisticsReads.increment();
      backoff.succeeded(subject);
    } catch (CancellationException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      backoff.failed(subject, e.toString());
      runtime.complaints().warn(LOG, "Gathering statistics", table(), subject, e);
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

  /** The region closes: jobs end. */
  @Override
  public void close() {
    closed = true;
    runtime.forget(this);
  }

  @Override
  public String toString() {
    return "the statistics of " + region;
  }
}
