package io.spyhop.client.internal.prune;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partition pruning of one table: which parts of it a query reads. Thread-safe; one for all queries
 * of a client on the table, which share its requests.
 */
public final class TablePruning {
  /** How old statistics that leave nothing out may be before they are asked for beside a query. */
  private static final Duration REFRESH = Duration.ofMillis(200);

  /** The same where a region gives none. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(TablePruning.class);

  private final TableName table;
  private final KeySpace keys;
  private final TableCache cache;
  private final RegionExchange exchange;
  private final Synchroniser synchroniser;
  private final Digests digests;
  private final int digestRegions;
  private final Synchroniser digestSynchroniser;
  private final PruningCounters counters;
  private final ScanPool pool;
  private final LongSupplier nanoTime;
  private final AtomicBoolean refreshing = new AtomicBoolean();

  /**
   * @param calls how regions are asked
   * @param digestCalls how servers are asked
   * @param digestRegions of how many regions a server is asked for a digest; fewer are asked
   *     themselves, as what has changed is told in one call then
   * @param interval the least time between requests for {@link Consistency#BATCHED}
   * @param pool runs what no query waits for, and calls to several servers at once
   * @param nanoTime the clock by which statistics age
   */
  public TablePruning(
      TableName table,
      KeySpace keys,
      StatisticsCache cache,
      SummaryCalls calls,
      DigestCalls digestCalls,
      int digestRegions,
      PruningCounters counters,
      Duration interval,
      ScanPool pool,
      LongSupplier nanoTime) {
    this.table = table;
    this.keys = keys;
    this.cache = new TableCache(table, cache);
    this.counters = counters;
    this.pool = pool;
    this.nanoTime = nanoTime;
    this.exchange = new RegionExchange(keys, this.cache, calls, counters, pool, nanoTime);
    this.synchroniser = new Synchroniser(exchange, interval, cache.rounds(), nanoTime);
    this.digestRegions = digestRegions;
    this.digests = new Digests(table, digestCalls, counters, pool, nanoTime);
    this.digestSynchroniser = new Synchroniser(digests, interval, cache.rounds(), nanoTime);
  }

  /** The regions that it knows. */
  public KeySpace keys() {
    return keys;
  }

  /** What it did so far. */
  public PruningCounters counters() {
    return counters;
  }

  /** What is known of the table's regions. */
  public List<Known> known() {
    return cache.all();
  }

  /** How many queries wait for a request that is not yet sent. */
  int waitingQueries() {
    return synchroniser.waitingQueries() + digestSynchroniser.waitingQueries();
  }

  /** A query that begins now. */
  Run begin(PrunedQuery question) {
    return new Run(question);
  }

  /**
   * All parts of a question's range with their final decisions, as a query that begins now would
   * make them; in row-key order.
   */
  public List<Part> decide(PrunedQuery question) throws IOException {
    Run run = begin(question);
    List<Part> early = run.early(run.pieces());
    List<Part> all = new ArrayList<>(early);
    all.removeIf(p -> !p.settled());
    List<Part> open = new ArrayList<>(early);
    open.removeIf(Part::settled);
    all.addAll(run.settle(open));
    all.sort(Part.BY_ROW);
    return all;
  }

  /** One query's decisions. Used by one thread. */
  final class Run {
    private final PrunedQuery question;
    private final long round = synchroniser.lastSent();
    private final Selection selection;
    private boolean counted;

    private Run(PrunedQuery question) {
      this.question = question;
      Consistency consistency = question.consistency();
      long oldest = nanoTime.getAsLong() - consistency.staleness().toNanos();
      boolean bounded = consistency.level() == Consistency.Level.BOUNDED;
      this.selection =
          new Selection(
              keys,
              cache,
              question,
              (k, region) ->
                  k.round() > round || (bounded && digests.asOf(k, region) - oldest > 0));
      cache.uses().note(question.predicate());
    }

    /** All that is asked for, cut where regions are. */
    List<RowRange> pieces() throws IOException {
      return keys.cut(question.rows());
    }

    /** Decisions on what is known of some pieces; see {@link Selection#parts}. */
    List<Part> early(List<RowRange> pieces) throws IOException {
      List<Part> parts = selection.parts(pieces);
      refresh(parts);
      return parts;
    }

    /**
     * Asks, and decides again (paper, figure 7(b)).
     *
     * @param open parts of {@link #early} that are not settled
     * @return parts of the same rows, all settled
     */
    List<Part> settle(List<Part> open) throws IOException {
      if (open.isEmpty()) {
        return List.of();
      }
      boolean atOnce = question.consistency().level() != Consistency.Level.BATCHED;
      List<Part> settled = new ArrayList<>();
      List<Part> left = unconfirmed(open, settled);
      askServers(left, atOnce);
      left = unconfirmed(left, settled);
      if (!left.isEmpty()) {
        synchroniser.next(exchange.regions(Selection.joined(left)), atOnce);
      }
      for (Part part : left) {
        settled.addAll(selection.settled(part.range()));
      }
      settled.sort(Part.BY_ROW);
      return settled;
    }

    /** The others are settled. A digest counts for all parts that come after it was asked for. */
    private List<Part> unconfirmed(List<Part> open, List<Part> settled) {
      List<Part> left = new ArrayList<>();
      for (Part part : open) {
        if (isConfirmed(part, round)) {
          settled.add(part.confirmed());
        } else {
          left.add(part);
        }
      }
      return left;
    }

    /** Notes what the decisions on some parts came to. */
    void count(List<Part> early, List<Part> settled) {
      if (!counted) {
        counters.queries.increment();
        counted = true;
      }
      long open = early.stream().filter(p -> !p.settled()).count();
      counters.hits.add(early.size() - open);
      counters.misses.add(open);
      Set<RowRange> pruned = new HashSet<>();
      settled.stream().filter(Part::isPruned).forEach(p -> pruned.add(p.range()));
      counters.confirmed.add(
          early.stream()
              .filter(p -> !p.settled() && p.isPruned() && pruned.contains(p.range()))
              .count());
      early.stream().filter(Part::settled).forEach(this::count);
      settled.forEach(this::count);
    }

    private void count(Part part) {
      switch (part.decision().state()) {
        case NR -> counters.regionsPruned.increment();
        case RS -> {
          counters.regionsRead.increment();
          counters.memstoresSkipped.increment();
        }
        default -> counters.regionsRead.increment();
      }
    }
  }

  /** Asks servers that have many of the parts for their digests, and waits for these. */
  private void askServers(List<Part> parts, boolean atOnce) throws IOException {
    Map<ServerName, Integer> counts = new HashMap<>();
    for (Part p : parts) {
      if (p.known().isPresent() && p.region() != null && p.region().getServerName() != null) {
        counts.merge(p.region().getServerName(), 1, Integer::sum);
      }
    }
    counts.values().removeIf(count -> count < digestRegions);
    if (!counts.isEmpty()) {
      Map<ServerName, HRegionLocation> servers = keys.servers();
      digests.retain(servers.keySet());
      counts.keySet().removeIf(s -> !servers.containsKey(s) || !digests.has(s));
      digestSynchroniser.next(counts.keySet().stream().map(servers::get).toList(), atOnce);
    }
  }

  /** Whether a digest of a later round says that what is known of a part is what there is. */
  private boolean isConfirmed(Part part, long round) {
    RegionStates states = digests.of(part.region());
    return states != null
        && states.round() > round
        && part.known().filter(k -> states.confirm(k.summary())).isPresent();
  }

  /** Statistics that leave nothing out are not waited for, but should not stay old forever. */
  private void refresh(List<Part> parts) {
    List<Part> old = new ArrayList<>(parts);
    old.removeIf(p -> !p.settled() || p.isPruned() || !isOld(p));
    if (old.isEmpty() || !refreshing.compareAndSet(false, true)) {
      return;
    }
    if (!pool.offer(() -> renew(old))) {
      refreshing.set(false);
    }
  }

  private boolean isOld(Part part) {
    return part.known()
        .map(k -> cache.isOutgrown(k) || isOlder(part, k, k.summary().isKnown() ? REFRESH : RETRY))
        .orElse(false);
  }

  private boolean isOlder(Part part, Known known, Duration age) {
    return nanoTime.getAsLong() - digests.asOf(known, part.region()) > age.toNanos();
  }

  private void renew(List<Part> parts) {
    try {
      long round = synchroniser.lastSent();
      askServers(parts, true);
      List<Part> left = new ArrayList<>(parts);
      left.removeIf(p -> isConfirmed(p, round) && !cache.isOutgrown(p.known().get()));
      synchroniser.next(exchange.regions(Selection.joined(left)), true);
    } catch (InterruptedIOException e) {
      LOG.debug("Table {}: a refresh of statistics was interrupted", table, e);
    } catch (IOException e) {
      LOG.warn(
          "Table {}: its regions cannot be listed; their statistics stay as they are", table, e);
    } finally {
      refreshing.set(false);
    }
  }
}
