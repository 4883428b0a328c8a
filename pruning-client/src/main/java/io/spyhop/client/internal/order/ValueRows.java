package io.spyhop.client.internal.order;

import io.spyhop.client.internal.exec.OrderFailure;
import io.spyhop.client.internal.exec.ReadAhead;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.order.ValuePosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a query in the order of a column's values. Each region's rows come in that order, a
 * few at a time and only when they are needed, and are merged here.
 *
 * <p>HBase's client goes on behind the last row key that it has seen when a scanner is lost, which
 * means nothing here; servers refuse that, and this class opens a scan of the regions as they are
 * then, behind the last row's value and key. What a region refuses to hand out in order is read by
 * plain scans and sorted. Not thread-safe.
 */
public final class ValueRows implements RowStream {
  private static final Logger LOG = LoggerFactory.getLogger(ValueRows.class);

  private final RowRange range;
  private final ValueOrder order;
  private final long limit;
  private final Ways ways;
  private final ScanPool pool;
  private final UnaryOperator<Result> shape;
  private final SortMemory memory;
  private final HandedOut handedOut;
  private HeadRoom room;
  private final PriorityQueue<Feed> heads;
  private final List<Feed> open = new ArrayList<>();

  /** The feed whose row was handed out last; it moves on when another row is wanted. */
  private Feed last;

  private boolean begun;
  private boolean closed;

  /** Opens the rows of a query or of a region. */
  public interface Ways {
    /**
     * The rows of the whole query, its first ones at least, in whatever order, where a global index
     * has them sooner; mostly none.
     */
    Optional<RowStream> first() throws IOException;

    /** Whether regions may know the order at all. */
    boolean mayBeServed();

    /**
     * Opens a scan of one region in the order of values.
     *
     * @param parts how many such scans there are
     */
    RowSource ordered(RowRange part, Optional<ValuePosition> after, int parts) throws IOException;

    /** All rows of ranges, in whatever order. */
    RowStream plain(List<RowRange> ranges) throws IOException;

    /** All rows of the query, in whatever order. */
    RowStream plain() throws IOException;

    /**
     * Cuts a range at regions' boundaries.
     *
     * @param now whether they are to be those of this moment
     */
    List<RowRange> cut(RowRange range, boolean now) throws IOException;

    /**
     * Waits while regions are on their way.
     *
     * @param times how often a part was asked in vain, 1 or more
     * @throws java.io.InterruptedIOException if the thread is interrupted; its flag stays set
     */
    void pause(int times) throws IOException;
  }

  /**
   * Nothing is asked before the first row is.
   *
   * @param limit how many rows are wanted at most
   * @param shape what the caller gets of a row; null drops the row
   */
  public ValueRows(
      RowRange range,
      ValueOrder order,
      long limit,
      Ways ways,
      ScanPool pool,
      UnaryOperator<Result> shape,
      SortMemory memory) {
    this.range = range;
    this.order = order;
    this.limit = limit;
    this.ways = ways;
    this.pool = pool;
    this.shape = shape;
    this.memory = memory;
    this.handedOut = new HandedOut(memory);
    this.heads = new PriorityQueue<>((a, b) -> order.compare(a.head().at(), b.head().at()));
  }

  @Override
  public Result next() throws IOException {
    while (!closed) {
      if (!begun) {
        begun = true;
        begin();
      }
      if (last != null) {
        Feed moved = last;
        last = null;
        advance(moved);
      }
      last = heads.poll();
      if (last == null) {
        return null;
      }
      Result row = last.head().row();
      if (row == null) {
        handedOut.resume(null);
        continue;
      }
      Result shaped = handedOut.add(row.getRow()) ? shape.apply(row) : null;
      if (shaped != null) {
        return shaped;
      }
    }
    return null;
  }

  private void begin() throws IOException {
    Optional<RowStream> found = ways.first();
    if (found.isPresent()) {
      start(sorted(found.get(), Optional.empty()));
      return;
    }
    if (!ways.mayBeServed()) {
      start(sorted(ways.plain(), Optional.empty()));
      return;
    }
    List<RowRange> parts = ways.cut(range, false);
    ReadAhead ahead = pool.readAhead();
    room = new HeadRoom(ahead.headBytes(), ahead.pageBytes(parts.size()));
    List<RegionFeed> feeds = new ArrayList<>();
    for (RowRange part : parts) {
      feeds.add(feed(part, Optional.empty(), 0, parts.size()));
    }
    open.addAll(feeds);
    List<RowRange> refused = new ArrayList<>();
    for (FirstRow first : FirstRow.ofAll(feeds, pool)) {
      IOException failure = first.failure();
      if (failure == null) {
        take(first.feed(), first.found());
      } else if (kind(first.feed(), failure) == OrderFailure.REFUSED) {
        drop(first.feed());
        refused.add(first.feed().range());
      } else {
        recover(first.feed(), failure);
      }
    }
    if (!refused.isEmpty()) {
      boolean all = refused.size() == parts.size();
      start(sorted(all ? ways.plain() : ways.plain(refused), Optional.empty()));
    }
  }

  private RegionFeed feed(RowRange part, Optional<ValuePosition> after, int failures, int parts) {
    return new RegionFeed(
        part, order, (rows, behind) -> ways.ordered(rows, behind, parts), room, after, failures);
  }

  private Feed sorted(RowStream rows, Optional<ValuePosition> after) {
    return new SortedRows(rows, order, after, limit, row -> shape.apply(row) != null, memory);
  }

  private void start(Feed feed) throws IOException {
    open.add(feed);
    advance(feed);
  }

  private void advance(Feed feed) throws IOException {
    boolean found;
    try {
      found = feed.next();
    } catch (IOException e) {
      if (!(feed instanceof RegionFeed region)) {
        throw e;
      }
      recover(region, e);
      return;
    }
    take(feed, found);
  }

  private void take(Feed feed, boolean found) {
    if (found) {
      heads.add(feed);
    } else {
      drop(feed);
    }
  }

  private void drop(Feed feed) {
    feed.close();
    open.remove(feed);
  }

  /** Goes on behind the last row of a part, or gives the failure to the caller. */
  private void recover(RegionFeed feed, IOException failure) throws IOException {
    drop(feed);
    if (kind(feed, failure) == OrderFailure.REFUSED) {
      LOG.info("Rows of {} are sorted here: {}", feed.range(), reason(failure));
      handedOut.resume(failure);
      start(sorted(ways.plain(List.of(feed.range())), feed.after()));
      return;
    }
    LOG.debug("Rows of {} are asked for again", feed.range(), failure);
    handedOut.resume(failure);
    if (feed.failures() > 0) {
      ways.pause(feed.failures());
    }
    List<RowRange> parts = ways.cut(feed.range(), true);
    for (RowRange part : parts) {
      start(feed(part, feed.after(), feed.failures() + 1, parts.size()));
    }
  }

  /** In a line: what comes from a server has its stack trace for a message. */
  private static String reason(IOException failure) {
    return OrderRefusedException.in(failure).orElse("the server does not know the order");
  }

  private static OrderFailure kind(RegionFeed feed, IOException failure) throws IOException {
    return OrderFailure.of(failure, ValueOrderFilter.class, feed.failures());
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(Feed::close);
    open.clear();
    heads.clear();
  }
}
