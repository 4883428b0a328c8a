package io.spyhop.server.index.global.repair;

import io.spyhop.server.index.global.entry.EntryDeleter;
import io.spyhop.server.runtime.Complaints;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repairs of a region server that wait for their time (DELI, section V.B, index garbage
 * deletion). Bounded: lists that find no room stay on disk until there is some. Thread-safe.
 */
public final class RepairQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairQueue.class);
  private static final long POLL_MILLIS = 20;

  private final EntryRemover remover;
  private final RepairForwarder forwarder;
  private final EntryScan scan;
  private final EntryLookup lookup;
  private final Executor executor;
  private final LongSupplier clock;
  private final RepairSettings settings;
  private final RepairMetrics metrics;
  private final Complaints complaints;
  private final Set<RepairedRegion> regions = ConcurrentHashMap.newKeySet();
  private final RepairBacklog items;
  private int running;
  private boolean closed;

  /**
   * The means by which repairs reach beyond their own region.
   *
   * @param deleter deletes entries
   * @param scan reads index tables
   * @param lookup looks entries up in index tables
   * @param forwarder takes entries whose rows belong to other regions now
   */
  public record Ways(
      EntryDeleter deleter, EntryScan scan, EntryLookup lookup, RepairForwarder forwarder) {}

  /**
   * @param executor runs the repairs, up to {@link RepairSettings#threads} at once
   * @param clock milliseconds
   */
  public RepairQueue(
      Ways ways,
      Executor executor,
      LongSupplier clock,
      RepairSettings settings,
      RepairMetrics metrics,
      Complaints complaints) {
    this.remover = new EntryRemover(ways.deleter(), settings.rows());
    this.scan = ways.scan();
    this.lookup = ways.lookup();
    this.forwarder = ways.forwarder();
    this.executor = executor;
    this.clock = clock;
    this.settings = settings;
    this.items = new RepairBacklog(settings);
    this.metrics = metrics;
    this.complaints = complaints;
    metrics.observe(this::waiting, this::givenUp, this::lagSeconds);
  }

  /** Takes a region in, until it is {@link #closed}. */
  void opened(RepairedRegion region) {
    regions.add(region);
  }

  /** Starts what is due; to be called now and then. */
  public void tick() {
    for (RepairedRegion r : regions) {
      r.promote();
    }
    dispatch();
  }

  /**
   * Works until nothing is due or running, on the executor's threads.
   *
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void drain() throws InterruptedException {
    tick();
    while (isBusy()) {
      synchronized (this) {
        wait(POLL_MILLIS);
      }
      tick();
    }
  }

  private synchronized boolean isBusy() {
    return running > 0 || (!closed && isDue(items.peek()));
  }

  private boolean isDue(RepairItem item) {
    return item != null && item.dueAt() <= clock.getAsLong();
  }

  /** How many lists and batches wait. */
  public synchronized int waiting() {
    return items.size();
  }

  /** How many lists and batches of a region wait. */
  synchronized int waiting(RepairedRegion region) {
    return items.size(region);
  }

  /** How many repairs are not done: waiting, running, or waiting for a compaction to commit. */
  public int unfinished() {
    int pending = regions.stream().mapToInt(RepairedRegion::pending).sum();
    synchronized (this) {
      return pending + running + items.size();
    }
  }

  /** How old the oldest repair is that is not done, of the regions that know theirs. */
  private long lagSeconds() {
    long now = clock.getAsLong();
    long oldest =
        regions.stream()
            .mapToLong(RepairedRegion::repairedUpTo)
            .filter(upTo -> upTo > 0)
            .min()
            .orElse(now);
    return TimeUnit.MILLISECONDS.toSeconds(Math.max(0, now - oldest));
  }

  /** How many lists of the open regions were given up; they wait on disk. */
  private int givenUp() {
    return regions.stream().mapToInt(RepairedRegion::givenUp).sum();
  }

  /** Whether there is room for a list. */
  synchronized boolean hasRoom() {
    return items.hasRoom();
  }

  /** Queues an item; false if there is no room for it. */
  boolean add(RepairItem item) {
    synchronized (this) {
      if (closed || !items.add(item)) {
        return false;
      }
    }
    dispatch();
    return true;
  }

  private void dispatch() {
    for (RepairItem item = take(); item != null; item = take()) {
      RepairItem next = item;
      try {
        executor.execute(() -> work(next));
      } catch (RejectedExecutionException e) {
        LOG.debug("Repairs wait for the region's next server: this one stops", e);
        ended(next, false);
        leave(next, false);
        return;
      }
    }
  }

  private synchronized RepairItem take() {
    if (closed || running >= settings.threads() || !isDue(items.peek())) {
      return null;
    }
    running++;
    return items.poll();
  }

  private void work(RepairItem item) {
    boolean ran = false;
    boolean again = false;
    try {
      if (!item.region().isClosed()) {
        item.run();
        ran = true;
      }
    } catch (Throwable e) {
      again = mayRetry(item, e);
    } finally {
      ended(item, again);
      leave(item, ran);
      dispatch();
    }
  }

  /** A region that has closed meanwhile closes once more, with what has come late. */
  private static void leave(RepairItem item, boolean ran) {
    if (!item.region().isClosed()) {
      return;
    }
    if (!ran) {
      item.left();
    }
    item.region().close();
  }

  private boolean mayRetry(RepairItem item, Throwable e) {
    if (item.region().isClosed()) {
      LOG.debug("{} is closed, repairs wait for its next server", item.region(), e);
      return false;
    }
    if (e instanceof RepairHeldException) {
      item.held(clock.getAsLong());
      LOG.debug("{} waits", item, e);
      return true;
    }
    metrics.retries.increment();
    boolean again = item.failed(clock.getAsLong());
    String effect = again ? "it is tried again" : "too often: it is given up";
    complaints.warn(LOG, "Repairing entries", effect, "this server", item, e);
    if (!again) {
      item.givenUp();
    }
    return again;
  }

  private synchronized void ended(RepairItem item, boolean again) {
    running--;
    if (again && !closed && !item.region().isClosed()) {
      items.again(item);
    } else {
      items.done(item);
    }
    notifyAll();
  }

  /** Takes a region out; returns its items, which will not be run. */
  List<RepairItem> closed(RepairedRegion region) {
    regions.remove(region);
    synchronized (this) {
      return items.remove(region);
    }
  }

  EntryRemover remover() {
    return remover;
  }

  EntryScan scan() {
    return scan;
  }

  EntryLookup lookup() {
    return lookup;
  }

  RepairForwarder forwarder() {
    return forwarder;
  }

  RepairSettings settings() {
    return settings;
  }

  RepairMetrics metrics() {
    return metrics;
  }

  long now() {
    return clock.getAsLong();
  }

  /** Starts nothing any more; lists stay on disk. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    regions.forEach(RepairedRegion::close);
  }
}
