package io.spyhop.client.exec;

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
 * before the one that is being read, so that the memory is bounded however many ranges there are.
 * {@link #next} and {@link #close} belong to one thread, the reader; {@link #ended} is called by
 * the threads of the pool.
 */
final class OrderedRows implements RowStream, RangeFeed.Listener {
  /** How many ranges may be started and not yet read to their end. */
  static final int MAX_AHEAD = 64;

  /**
   * How many bytes of cells all ranges together may be ahead of the reader. They share it evenly:
   * with little, the ranges behind the first stall, and a large answer is read range by range.
   */
  private static final long MAX_BYTES = 32 << 20;

  private final List<RowRange> ranges;
  private final RowSource.Opener opener;
  private final ScanPool pool;
  private final RangeFeed.Limits limits;

  /** Guarded by this: the feeds that are started and not read to their end, in order. */
  private final Queue<RangeFeed> started = new ArrayDeque<>();

  /** Guarded by this: how many of all feeds have not ended. */
  private int active;

  /** Guarded by this: the position of the next range to start. */
  private int nextRange;

  /** Guarded by this. */
  private boolean closed;

  /** The reader's own: rows of the first feed. */
  private Queue<Result> rows = new ArrayDeque<>();

  OrderedRows(List<RowRange> ranges, RowSource.Opener opener, ScanPool pool, int buffer) {
    this.ranges = List.copyOf(ranges);
    this.opener = opener;
    this.pool = pool;
    this.limits =
        new RangeFeed.Limits(buffer, MAX_BYTES / Math.max(1, Math.min(ranges.size(), MAX_AHEAD)));
  }

  /** Starts the first ranges before a row is asked for. */
  void start() {
    startMore();
  }

  @Override
  public Result next() throws IOException {
    while (rows.isEmpty()) {
      RangeFeed first = first();
      if (first == null) {
        return null;
      }
      Queue<Result> taken = first.take();
      if (taken == null) {
        retire(first);
      } else {
        rows = taken;
        first.schedule();
      }
    }
    return rows.remove();
  }

  private synchronized RangeFeed first() {
    startMore();
    return started.peek();
  }

  private synchronized void retire(RangeFeed feed) {
    started.remove(feed);
  }

  private synchronized void startMore() {
    while (!closed
        && nextRange < ranges.size()
        && (started.isEmpty() || active < pool.threads())
        && started.size() < MAX_AHEAD) {
      RangeFeed feed = new RangeFeed(ranges.get(nextRange), opener, pool, limits, this);
      nextRange++;
      active++;
      started.add(feed);
      feed.schedule();
    }
  }

  @Override
  public synchronized void ended() {
    active--;
    startMore();
  }

  @Override
  public void close() {
    rows.clear();
    List<RangeFeed> open;
    synchronized (this) {
      closed = true;
      open = new ArrayList<>(started);
      started.clear();
    }
    open.forEach(RangeFeed::cancel);
  }
}
