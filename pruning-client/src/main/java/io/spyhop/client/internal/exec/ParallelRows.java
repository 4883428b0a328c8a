package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.client.Result;

/**
 * Reads many ranges side by side and hands out their rows range by range.
 *
 * <p>Ranges start in order, as many at once as the pool has threads, and up to {@link #MAX_AHEAD}
 * before the one that is being read, as long as the client has room ({@link ReadAhead}). For few
 * rows one range starts, which may have them all; each that ends without makes it twice as many.
 * {@link #next} and {@link #close} belong to one thread, the reader; {@link #ended} is called by
 * the threads of the pool.
 */
final class ParallelRows implements RowStream, RangeFeed.Listener {
  /** How many ranges may be started and not yet read to their end. */
  static final int MAX_AHEAD = 64;

  private final List<RowRange> ranges;
  private final RowSource.Opener opener;
  private final ScanPool pool;
  private final ReadDemand demand;
  private final CursorMemory memory;

  /** Guarded by this: the feeds that are started and not read to their end, in order. */
  private final Queue<RangeFeed> started = new ArrayDeque<>();

  /** Guarded by this: how many of all feeds have not ended. */
  private int active;

  /** Guarded by this: how many rows the feeds that have ended had. */
  private long found;

  /** Guarded by this: the position of the next range to start. */
  private int nextRange;

  /** Guarded by this: how many may be active. */
  private int width;

  /** Guarded by this. */
  private boolean closed;

  /** The reader's own: rows of the first feed. */
  private Queue<Result> rows = new ArrayDeque<>();

  /** The reader's own: what {@link #rows} took when it was full. */
  private long rowsBytes;

  /** The reader's own: how many rows it took from the feeds. */
  private long handed;

  /** The reader's own: how many rows it may hand out before the ranges may be further ahead. */
  private int untilMore;

  ParallelRows(List<RowRange> ranges, RowSource.Opener opener, ScanPool pool, ReadDemand demand) {
    this.ranges = List.copyOf(ranges);
    this.opener = opener;
    this.pool = pool;
    this.demand = demand;
    this.width = demand.firstWidth(pool.threads());
    this.memory =
        new CursorMemory(pool.readAhead(), demand.ahead(), Math.min(ranges.size(), MAX_AHEAD));
    this.untilMore = memory.rows();
    memory.freeWith(this);
  }

  /** Starts the first ranges before a row is asked for. */
  void start() {
    startMore(false);
  }

  @Override
  public Result next() throws IOException {
    while (rows.isEmpty()) {
      hold(new RangeFeed.Batch(rows, 0));
      RangeFeed first = first();
      if (first == null) {
        return null;
      }
      RangeFeed.Batch taken = first.take();
      if (taken == null) {
        retire(first);
      } else {
        hold(taken);
        handed += taken.rows().size();
        if (demand.exceeds(handed)) {
          first.schedule();
        }
      }
    }
    if (--untilMore < 0) {
      readOn();
    }
    return rows.remove();
  }

  /** Takes a batch in place of the one before. */
  private void hold(RangeFeed.Batch batch) {
    memory.add(batch.bytes() - rowsBytes);
    rows = batch.rows();
    rowsBytes = batch.bytes();
  }

  /** Lets the ranges be further ahead, also those that stopped as there was no room. */
  private void readOn() {
    memory.grow();
    untilMore = memory.rows();
    List<RangeFeed> all;
    synchronized (this) {
      widen();
      startMore(false);
      all = new ArrayList<>(started);
    }
    all.forEach(RangeFeed::schedule);
  }

  private synchronized RangeFeed first() {
    startMore(true);
    return started.peek();
  }

  private synchronized void retire(RangeFeed feed) {
    started.remove(feed);
  }

  private synchronized void widen() {
    width = Math.min(pool.threads(), 2 * width);
  }

  /**
   * @param awaited whether the reader is about to wait for the first range: if it wants few rows it
   *     begins the range itself, which is sooner than to wake another thread
   */
  private synchronized void startMore(boolean awaited) {
    while (!closed
        && nextRange < ranges.size()
        && demand.exceeds(found)
        && (started.isEmpty() || active < width && memory.hasRoom())
        && started.size() < MAX_AHEAD) {
      RangeFeed feed = new RangeFeed(ranges.get(nextRange), opener, pool, memory, this);
      nextRange++;
      active++;
      boolean own = awaited && started.isEmpty() && demand.isLimited();
      started.add(feed);
      if (!own) {
        feed.schedule();
      }
    }
  }

  @Override
  public synchronized void ended(long rows) {
    active--;
    found += rows;
    widen();
    startMore(false);
  }

  @Override
  public void close() {
    hold(new RangeFeed.Batch(new ArrayDeque<>(), 0));
    List<RangeFeed> open;
    synchronized (this) {
      closed = true;
      open = new ArrayList<>(started);
      started.clear();
    }
    open.forEach(RangeFeed::cancel);
  }
}
