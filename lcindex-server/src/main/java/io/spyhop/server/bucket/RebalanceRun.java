package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.server.bucket.BucketCluster.Place;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.net.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rebalance, from wherever it is to its end (docs/decisions/0044). What is noted comes before
 * what is done, and what is done may be done again: a master that takes over runs it on. Buckets
 * move one after the other, each in the paper's phases. Not thread-safe.
 */
final class RebalanceRun {
  /** How long writes of a bucket may be held up. */
  static final Duration HOLD = Duration.ofSeconds(10);

  /** How long files are waited for that nobody has built, with writes going on. */
  private static final Duration UNBUILT = Duration.ofSeconds(30);

  /** The same while writes are held up. */
  private static final Duration UNBUILT_HELD = Duration.ofSeconds(3);

  private static final Duration TURN = Duration.ofMillis(50);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often in a row something may fail before it is given up. */
  private static final int MOST_FAILURES = 120;

  /** How often it is planned, if others move or split buckets meanwhile. */
  private static final int ROUNDS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(RebalanceRun.class);

  private final BucketCluster cluster;
  private final Noting noting;
  private final TableName table;
  private RebalanceState state;
  private int rounds;

  /** When this master has moved its last bucket. */
  private OptionalLong arrived = OptionalLong.empty();

  /**
   * An end that comes sooner than that of the plan.
   *
   * @param asked whether an administrator wants it, so that nothing begins by itself
   */
  record Ending(String why, boolean asked) {
    RebalanceState of(RebalanceState state) {
      return asked ? state.stopped(why) : state.aborted(why);
    }
  }

  /** Keeps what is noted. */
  interface Noting {
    /** Notes a state durably. */
    void note(RebalanceState state) throws IOException;

    /** Is told of each step; tests let masters die here. */
    void done(String step) throws IOException;

    /** The table is gone, and what was noted of it may be, too. */
    void forget() throws IOException;

    /** Whether the table is gone; there may be another of its name. */
    boolean isGone();

    /** How it is to end between two buckets, if it is. */
    Optional<Ending> stopped();

    /** Is counted down when the table is gone, or the rebalance is to be given up. */
    CountDownLatch ending();
  }

  RebalanceRun(BucketCluster cluster, Noting noting, RebalanceState state) {
    this.cluster = cluster;
    this.noting = noting;
    this.state = state;
    this.table = state.request().table();
  }

  /**
   * Runs it.
   *
   * @throws IOException if this master stops; the next one goes on
   */
  void run() throws IOException {
    int failures = 0;
    while (state.phase().isOpen() && !noting.isGone()) {
      int before = state.moves().size();
      try {
        step();
        failures = 0;
      } catch (TableNotFoundException e) {
        LOG.info("The rebalance of {} ends with its table", table, e);
        noting.forget();
      } catch (IOException | RuntimeException e) {
        if (noting.isGone()) {
          LOG.info("The rebalance of {} ends with its table", table, e);
          return;
        }
        requireMaster(e);
        failures = state.moves().size() > before ? 1 : failures + 1;
        if (e instanceof DoNotRetryIOException || failures > MOST_FAILURES) {
          end(e);
        } else {
          LOG.info("The rebalance of {} is tried again", table, e);
          cluster.pause(PAUSE, new CountDownLatch(1));
        }
      }
    }
    noting.done("rebalance: " + state.phase().name().toLowerCase(Locale.ROOT));
  }

  private void requireMaster(Exception e) throws IOException {
    if (cluster.isStopping() || Thread.currentThread().isInterrupted()) {
      throw new IOException("this master stops", e);
    }
  }

  private void end(Exception why) throws IOException {
    Ending ending =
        noting.stopped().orElseGet(() -> new Ending(String.valueOf(why.getMessage()), false));
    LOG.warn("The rebalance of {} ends before it is done: {}", table, ending.why(), why);
    note(ending.of(state));
  }

  private void note(RebalanceState next) throws IOException {
    noting.note(next);
    state = next;
  }

  private void step() throws IOException {
    Map<Bucket, Place> places = cluster.places(table);
    requireSame(places);
    if (state.phase() == Phase.COMMIT) {
      settle(places);
    }
    requireGoing();
    if (state.left().isEmpty()) {
      plan(places);
      return;
    }
    Moved next = state.left().get(0);
    Place place = places.get(next.bucket());
    boolean stands =
        place != null && place.server().equals(next.from()) && cluster.open().contains(next.to());
    if (stands) {
      move(next, place);
    } else {
      note(state.skipped());
    }
  }

  /**
   * A table of the same name is not this one, and one that was truncated or restored has buckets
   * that nobody has looked at. A table is told to be gone before another of its name has places.
   */
  private void requireSame(Map<Bucket, Place> places) throws IOException {
    requireThere();
    boolean noted = !state.regions().isEmpty();
    if (noted
        && places.values().stream()
            .noneMatch(p -> state.regions().contains(p.region().getEncodedName()))) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "' has none of the regions that it had when the rebalance began: it was truncated,"
              + " restored, or dropped and created; begin another rebalance of it");
    }
  }

  private void requireThere() throws TableNotFoundException {
    if (noting.isGone()) {
      throw new TableNotFoundException(table);
    }
  }

  private void requireGoing() throws IOException {
    requireThere();
    if (noting.stopped().isPresent()) {
      throw new DoNotRetryIOException(noting.stopped().get().why());
    }
  }

  /** What an earlier master, or a failure, left amid a move. */
  private void settle(Map<Bucket, Place> places) throws IOException {
    Moved last = state.moves().get(state.moves().size() - 1);
    Place place = places.get(last.bucket());
    boolean arrived = place != null && place.server().equals(last.to());
    note(arrived ? state.arrived(0) : state.strayed());
  }

  private void plan(Map<Bucket, Place> places) throws IOException {
    Set<Address> wanted =
        state.request().staying().stream().map(ServerName::getAddress).collect(Collectors.toSet());
    Set<ServerName> staying =
        cluster.open().stream()
            .filter(s -> wanted.contains(s.getAddress()))
            .collect(Collectors.toSet());
    if (staying.isEmpty()) {
      throw new DoNotRetryIOException(
          "none of the servers that shall have buckets lives, or takes regions");
    }
    BucketPlan plan = BucketPlan.of(cluster, table, places, staying);
    if (plan.buckets().isEmpty()) {
      placeReplicas(plan.replicas());
      note(state.done());
    } else if (++rounds > ROUNDS) {
      throw new DoNotRetryIOException(
          "its buckets are not where they should be after "
              + state.moves().size()
              + " moves; is HBase's balancer at work, or are they moved by hand?");
    } else {
      note(state.planned(plan.buckets()));
      noting.done("rebalance: planned");
    }
  }

  /** They hold no index files, and nobody writes to them: HBase's move is all. */
  private void placeReplicas(List<Replicas.Move> moves) throws IOException {
    for (Replicas.Move move : moves) {
      requireGoing();
      LOG.info("Replica {} goes to {}", move.from().region().getEncodedName(), move.to());
      cluster.move(move.from(), move.to());
      noting.done("rebalance: replica moved");
    }
  }

  /** Data movement, the two phases of the finalisation, and the move itself. */
  private void move(Moved planned, Place place) throws IOException {
    LOG.info("Bucket {} of {} goes to {}", planned.bucket(), table, planned.to());
    Shipped shipped = new Shipped(planned.to());
    Handover region = new Handover(table, place.region().getEncodedName(), place.server(), 0);
    shipped.catchUp(region, UNBUILT);
    rest();
    cluster.hold(region);
    shipped.catchUp(region, UNBUILT);
    noting.done("rebalance: shipped");
    long begin = System.nanoTime();
    boolean isThere = false;
    try {
      cluster.hold(held(region, HOLD.toMillis()));
      noting.done("rebalance: held");
      int missing = shipped.catchUp(region, UNBUILT_HELD);
      Moved moved = planned.with(shipped.files, shipped.bytes, missing, 0);
      note(state.committing(moved, shipped.trouble(moved)));
      noting.done("rebalance: committed");
      cluster.move(place, planned.to());
      isThere = true;
    } finally {
      if (!isThere) {
        release(region);
      }
    }
    noting.done("rebalance: moved");
    arrived = OptionalLong.of(System.nanoTime());
    note(state.arrived(Duration.ofNanos(System.nanoTime() - begin).toMillis()));
  }

  /** A client that has met the last move shall have had other queries before it meets the next. */
  private void rest() throws IOException {
    if (arrived.isPresent()) {
      Duration since = Duration.ofNanos(System.nanoTime() - arrived.getAsLong());
      Duration left = state.request().pause().minus(since);
      if (!left.isNegative()) {
        cluster.pause(left, noting.ending());
        requireGoing();
      }
    }
  }

  private static Handover held(Handover region, long millis) {
    return new Handover(region.table(), region.region(), region.from(), millis);
  }

  /** Writes come in again; by themselves, too, a moment later. */
  private void release(Handover region) {
    try {
      cluster.hold(held(region, -1));
    } catch (IOException | RuntimeException e) {
      LOG.info("The writes of {} are held up for a moment", region.region(), e);
    }
  }

  /** Ships the index files of one bucket, and counts them. */
  private final class Shipped {
    private final ServerName to;
    private int files;
    private long bytes;
    private String failure = "";

    Shipped(ServerName to) {
      this.to = to;
    }

    /**
     * Has the server fetch until it has all that there is.
     *
     * @param unbuilt how long it is waited for what is not built
     * @return how many files are missing
     */
    int catchUp(Handover region, Duration unbuilt) throws IOException {
      long last = System.nanoTime();
      while (true) {
        HandoverState now = cluster.receive(to, region);
        files += now.files();
        bytes += now.bytes();
        failure = now.failure();
        last = now.busy() || now.files() > 0 ? System.nanoTime() : last;
        boolean waited = System.nanoTime() - last > unbuilt.toNanos();
        boolean vain = failure.equals(HandoverState.UNUSABLE);
        if (!now.busy() && (now.missing() == 0 || waited || vain)) {
          return now.missing();
        }
        if (cluster.isStopping()) {
          throw new InterruptedIOException("this master stops");
        }
        requireGoing();
        cluster.pause(TURN, noting.ending());
      }
    }

    /** Queries scan the bucket until its index files have been built there, if they can be. */
    Optional<String> trouble(Moved moved) {
      if (moved.missing() == 0) {
        return Optional.empty();
      }
      return Optional.of(
          "bucket "
              + moved.bucket()
              + " went to "
              + to
              + " without "
              + moved.missing()
              + " index files: "
              + (failure.isEmpty() ? "nobody had built them yet" : failure));
    }
  }
}
