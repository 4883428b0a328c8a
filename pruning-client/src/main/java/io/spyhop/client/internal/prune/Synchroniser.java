package io.spyhop.client.internal.prune;

import io.spyhop.core.io.Interruption;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;

/**
 * Sends the requests for statistics of one table and client (partition pruning paper, sections 5.2
 * and 5.3). Of each region at most one request is under way and at most one waits to be sent; who
 * needs statistics joins the ones that wait, and when all of its own may be sent, it sends them,
 * and what else waits for the same servers and is not known to be silent. So queries share
 * requests, nobody sends for queries that do not exist, and no query waits for a region that it
 * does not ask about.
 *
 * <p>What is sent together is a round. Rounds are numbered in the order in which they are sent. A
 * round proves writes only for queries that began before it was <em>sent</em>: between a region's
 * answer and the answer's arrival a write can be acknowledged that the answer does not contain
 * (correctness rule 19). Therefore a query remembers {@link #lastSent} when it begins, and what it
 * may rely on are rounds with greater numbers; {@link #next} always joins requests of such rounds,
 * never those under way.
 *
 * <p>Thread-safe.
 */
public final class Synchroniser {
  /** One exchange with regions. */
  public interface Exchange {
    /**
     * Whether a region gave no answer when it was asked last. Such a one is asked only by those who
     * wait for it. Called with a lock held: must answer at once.
     */
    boolean isSilent(HRegionLocation region);

    /**
     * Asks regions and records what they answer. A failure leaves regions unknown and is not
     * thrown.
     *
     * @param round the round's number
     * @param ended told of each region once, when its answer is recorded or none will come; may be
     *     called by other threads
     */
    void send(
        List<HRegionLocation> regions, long round, Consumer<Collection<HRegionLocation>> ended)
        throws InterruptedIOException;
  }

  private final Exchange exchange;
  private final long intervalNanos;
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock: regions with requests, by start key. */
  private final Map<ByteBuffer, Lane> lanes = new HashMap<>();

  /** Guarded by the lock: when the last round was sent. */
  private long lastSentAt;

  /** The number of the last round that was sent, of whatever table. */
  private final AtomicLong rounds;

  /** The requests to one region. Guarded by the lock. */
  private static final class Lane {
    private Request underWay;
    private Request waiting;
  }

  /** One request to one region. Guarded by the lock. */
  private static final class Request {
    private final Lane lane;
    private final List<Query> queries = new ArrayList<>();
    private HRegionLocation region;
    private long due;
    private boolean sent;

    private Request(Lane lane, long due) {
      this.lane = lane;
      this.due = due;
    }
  }

  /** A query that waits. Guarded by the lock. */
  private static final class Query {
    private final Condition changed;
    private final List<Request> requests = new ArrayList<>();

    /** Requests that are not answered. */
    private int open;

    /** Requests that cannot be sent, as an earlier one to their region is under way. */
    private int blocked;

    private Query(Condition changed) {
      this.changed = changed;
    }
  }

  /**
   * @param interval the least time between two rounds that nobody needs earlier
   * @param rounds numbers the rounds of all synchronisers whose answers go to the same cache
   * @param nanoTime a clock in nanoseconds from any origin
   */
  public Synchroniser(
      Exchange exchange, Duration interval, AtomicLong rounds, LongSupplier nanoTime) {
    this.exchange = exchange;
    this.rounds = rounds;
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
    this.lastSentAt = nanoTime.getAsLong() - intervalNanos;
  }

  /** A number that all rounds exceed which are sent from now on. */
  public long lastSent() {
    return rounds.get();
  }

  /** How many queries have joined requests that are not yet sent. */
  int waitingQueries() {
    lock.lock();
    try {
      Set<Query> waiting = new HashSet<>();
      lanes.values().stream()
          .map(lane -> lane.waiting)
          .filter(Objects::nonNull)
          .forEach(r -> waiting.addAll(r.queries));
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until regions have answered requests that were sent after this call began, or have failed
   * to.
   *
   * @param atOnce whether requests are sent as soon as none is under way to the same region, or
   *     else not before the interval since the last round has passed
   * @throws InterruptedIOException if the thread was interrupted; others send what they wait for
   */
  public void next(List<HRegionLocation> regions, boolean atOnce) throws InterruptedIOException {
    Query mine = join(regions, atOnce);
    try {
      while (true) {
        Round round = awaitTurn(mine);
        if (round == null) {
          return;
        }
        send(round);
      }
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for statistics", e);
    } finally {
      leave(mine);
    }
  }

  private Query join(List<HRegionLocation> regions, boolean atOnce) {
    lock.lock();
    try {
      Query query = new Query(lock.newCondition());
      long now = nanoTime.getAsLong();
      long due = atOnce ? now : lastSentAt + intervalNanos;
      for (HRegionLocation region : regions) {
        Lane lane = lanes.computeIfAbsent(key(region), k -> new Lane());
        if (lane.waiting == null) {
          lane.waiting = new Request(lane, due);
        } else if (due - lane.waiting.due < 0) {
          lane.waiting.due = due;
        }
        lane.waiting.region = region;
        lane.waiting.queries.add(query);
        query.requests.add(lane.waiting);
        query.open++;
        query.blocked += lane.underWay == null ? 0 : 1;
      }
      return query;
    } finally {
      lock.unlock();
    }
  }

  private static ByteBuffer key(HRegionLocation region) {
    return ByteBuffer.wrap(region.getRegion().getStartKey());
  }

  /** Requests that are sent together. */
  private record Round(long number, List<Request> requests) {}

  /** Waits until all is answered (null), or claims a round for this thread. */
  private Round awaitTurn(Query mine) throws InterruptedException {
    lock.lock();
    try {
      while (mine.open > 0) {
        List<Request> unsent = mine.requests.stream().filter(r -> !r.sent).toList();
        long early = early(unsent);
        if (unsent.isEmpty() || mine.blocked > 0) {
          mine.changed.await();
        } else if (early > 0) {
          mine.changed.await(early, TimeUnit.NANOSECONDS);
        } else {
          return claim(unsent);
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Nanoseconds until all of them are due. */
  private long early(List<Request> requests) {
    long now = nanoTime.getAsLong();
    return requests.stream().mapToLong(r -> r.due - now).max().orElse(0);
  }

  /**
   * Takes along what others wait for from the same servers, due or not: it costs no call. Regions
   * that are known to be silent would cost one, and this thread might have to wait for it.
   */
  private Round claim(List<Request> mine) {
    lastSentAt = nanoTime.getAsLong();
    Set<ServerName> servers = new HashSet<>();
    mine.forEach(r -> servers.add(r.region.getServerName()));
    List<Request> all = new ArrayList<>(mine);
    all.forEach(Synchroniser::take);
    for (Lane lane : lanes.values()) {
      Request r = lane.waiting;
      boolean takenAlong =
          r != null
              && lane.underWay == null
              && servers.contains(r.region.getServerName())
              && !exchange.isSilent(r.region);
      if (takenAlong) {
        take(r);
        all.add(r);
      }
    }
    return new Round(rounds.incrementAndGet(), all);
  }

  private static void take(Request request) {
    request.sent = true;
    request.lane.underWay = request;
    request.lane.waiting = null;
  }

  private void send(Round round) throws InterruptedIOException {
    Map<ByteBuffer, Request> open = new HashMap<>();
    round.requests.forEach(r -> open.put(key(r.region), r));
    boolean sent = false;
    try {
      exchange.send(
          round.requests.stream().map(r -> r.region).toList(), round.number, e -> ended(open, e));
      sent = true;
    } finally {
      if (!sent) {
        ended(open, round.requests.stream().map(r -> r.region).toList());
      }
    }
  }

  private void ended(Map<ByteBuffer, Request> open, Collection<HRegionLocation> regions) {
    lock.lock();
    try {
      for (HRegionLocation region : regions) {
        Request r = open.remove(key(region));
        if (r != null) {
          ended(r);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void ended(Request answered) {
    Lane lane = answered.lane;
    lane.underWay = null;
    for (Query q : answered.queries) {
      q.open--;
      if (q.open == 0) {
        q.changed.signal();
      }
    }
    if (lane.waiting == null) {
      lanes.remove(key(answered.region), lane);
      return;
    }
    for (Query q : lane.waiting.queries) {
      q.blocked--;
      if (q.blocked == 0) {
        q.changed.signal();
      }
    }
  }

  /** Nobody sends requests that nobody waits for. */
  private void leave(Query query) {
    lock.lock();
    try {
      for (Request r : query.requests) {
        if (r.sent) {
          continue;
        }
        r.queries.remove(query);
        if (r.queries.isEmpty()) {
          r.lane.waiting = null;
          if (r.lane.underWay == null) {
            lanes.remove(key(r.region), r.lane);
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
