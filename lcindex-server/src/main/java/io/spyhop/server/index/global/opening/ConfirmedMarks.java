package io.spyhop.server.index.global.opening;

import io.spyhop.server.index.global.opening.ReportedOpenings.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks of one index table that hbase:meta has confirmed: their openings last. They are
 * confirmed again now and then, beside the questions; others are asked for when they are needed.
 * Thread-safe.
 */
final class ConfirmedMarks {
  /** How long what hbase:meta said is not asked again. */
  private static final Duration TRUSTED = WatchedMarks.LEASE.dividedBy(2);

  /** How long hbase:meta is left alone after it did not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** How long a mark that was not confirmed is not asked for again, at first and later. */
  private static final Duration FIRST_REFUSAL = Duration.ofMillis(50);

  private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(ConfirmedMarks.class);

  private final ReportedOpenings meta;
  private final Executor aside;
  private final LongSupplier nanos;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile long silentUntil;
  private final Map<Key, OpeningMark> confirmed = new HashMap<>();
  private final Map<Key, Refusal> refused = new HashMap<>();

  /** Servers that live, and have or had marks that were confirmed: they watch what they open. */
  private final Set<ServerName> watching = new HashSet<>();

  /** When all that is confirmed was, or before. */
  private long at;

  /**
   * A mark that was not confirmed, which may be a matter of moments while a region is new.
   *
   * @param until when it is asked for again
   * @param nanos how long that is
   */
  private record Refusal(long until, long nanos) {}

  /** Identifies a mark: another opening of the region has another number. */
  private record Key(String region, long number) {
    static Key of(OpeningMark mark) {
      return new Key(mark.region(), mark.number());
    }
  }

  /**
   * @param aside runs what nobody waits for
   * @param nanos a clock that only goes forwards
   */
  ConfirmedMarks(ReportedOpenings meta, Executor aside, LongSupplier nanos) {
    this.meta = meta;
    this.aside = aside;
    this.nanos = nanos;
    this.silentUntil = nanos.getAsLong();
    this.at = silentUntil;
  }

  /**
   * Has all that is confirmed be confirmed again, if that was a while ago: beside this call, if it
   * still counts.
   */
  void renew() {
    long age = age();
    if (age > WatchedMarks.LEASE.toNanos()) {
      confirmAgain();
    } else if (age > TRUSTED.toNanos() && renewing.compareAndSet(false, true)) {
      try {
        aside.execute(
            () -> {
              try {
                confirmAgain();
              } finally {
                renewing.set(false);
              }
            });
      } catch (RejectedExecutionException e) {
        LOG.debug("Marks are not confirmed any more: the server stops", e);
      }
    }
  }

  private synchronized long age() {
    return nanos.getAsLong() - at;
  }

  private void confirmAgain() {
    Map<Key, OpeningMark> before;
    synchronized (this) {
      before = Map.copyOf(confirmed);
    }
    long began = nanos.getAsLong();
    Optional<Map<OpeningMark, Presence>> answer = ask(before.values(), s -> false);
    if (answer.isPresent()) {
      synchronized (this) {
        before.forEach(
            (key, mark) -> {
              if (answer.get().get(mark) != Presence.OPEN) {
                confirmed.remove(key);
              }
            });
        at = began;
      }
    }
  }

  /** Those of marks that count without a question. */
  synchronized Set<OpeningMark> among(List<OpeningMark> open) {
    boolean count = nanos.getAsLong() - at <= WatchedMarks.LEASE.toNanos();
    return open.stream()
        .filter(m -> count && confirmed.containsKey(Key.of(m)))
        .collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * Asks hbase:meta for marks, but for a while not again for those that it does not know.
   *
   * @param settled all that count without a question; others are forgotten
   * @param others those that are to be asked for
   * @param settles whether one of these counts without a question once it is confirmed
   * @param living the servers that live
   * @return empty if there is no answer
   */
  Optional<Map<OpeningMark, Presence>> find(
      Set<OpeningMark> settled,
      List<OpeningMark> others,
      Predicate<OpeningMark> settles,
      Set<ServerName> living) {
    List<OpeningMark> asked = due(others);
    Set<ServerName> watch = watching(settled, living);
    Optional<Map<OpeningMark, Presence>> answer = ask(asked, watch::contains);
    synchronized (this) {
      confirmed.keySet().retainAll(keys(settled));
      refused.keySet().retainAll(keys(others));
      answer.ifPresent(found -> asked.forEach(m -> learn(m, found.get(m), settles)));
    }
    return answer;
  }

  private synchronized Set<ServerName> watching(Set<OpeningMark> settled, Set<ServerName> living) {
    settled.forEach(m -> watching.add(m.server()));
    watching.retainAll(living);
    return Set.copyOf(watching);
  }

  private static Set<Key> keys(Collection<OpeningMark> marks) {
    return marks.stream().map(Key::of).collect(Collectors.toSet());
  }

  private synchronized List<OpeningMark> due(List<OpeningMark> marks) {
    long now = nanos.getAsLong();
    return marks.stream().filter(m -> isDue(refused.get(Key.of(m)), now)).toList();
  }

  private void learn(OpeningMark mark, Presence found, Predicate<OpeningMark> settles) {
    Key key = Key.of(mark);
    if (found == null) {
      Refusal last = refused.get(key);
      long wait = last == null ? FIRST_REFUSAL.toNanos() : 2 * last.nanos;
      wait = Math.min(wait, LONGEST_REFUSAL.toNanos());
      refused.put(key, new Refusal(nanos.getAsLong() + wait, wait));
      return;
    }
    refused.remove(key);
    if (found == Presence.OPEN && settles.test(mark)) {
      confirmed.put(key, mark);
    }
  }

  private static boolean isDue(Refusal last, long now) {
    return last == null || now - last.until >= 0;
  }

  /** Until when the answers so far are all that there is to know, if no mark changes. */
  synchronized long lastUntil() {
    long renewed = at + TRUSTED.toNanos();
    long asked = isSilent() ? silentUntil : renewed;
    return refused.values().stream()
        .mapToLong(Refusal::until)
        .reduce(asked - renewed < 0 ? asked : renewed, (a, b) -> a - b < 0 ? a : b);
  }

  private boolean isSilent() {
    return nanos.getAsLong() - silentUntil < 0;
  }

  private Optional<Map<OpeningMark, Presence>> ask(
      Collection<OpeningMark> marks, Predicate<ServerName> watches) {
    if (marks.isEmpty()) {
      return Optional.of(Map.of());
    }
    if (isSilent()) {
      return Optional.empty();
    }
    try {
      return Optional.of(meta.present(marks, watches));
    } catch (IOException e) {
      silentUntil = nanos.getAsLong() + SILENCE.toNanos();
      LOG.debug("hbase:meta does not say where regions are open", e);
      return Optional.empty();
    }
  }
}
