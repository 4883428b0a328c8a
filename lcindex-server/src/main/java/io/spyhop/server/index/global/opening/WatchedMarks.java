package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.BuiltLease;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.server.index.global.opening.ReportedOpenings.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;

/**
 * Tells which rows of a base table have all their entries, by the marks in one index table. A mark
 * counts as long as its opening is the last that hbase:meta knows of its region: a later one has
 * not taken a write yet (docs/decisions/0069). Thread-safe.
 *
 * <p>Most marks are <em>settled</em>: open, of a server that lives, and confirmed by hbase:meta. A
 * server takes its mark back before it closes a region; what it could not take back because it
 * died, ZooKeeper tells; what it could not take back because the index table was away, hbase:meta
 * tells when it confirms marks again. For other marks, of regions in motion, it is asked at each
 * question. What was found is the answer until something has changed.
 */
public final class WatchedMarks {
  /**
   * How long a settled mark counts after hbase:meta has confirmed it, whichever servers do not
   * answer. There a region is closing before its server is told to close it, so a server that has
   * tried for longer than that to take its mark back need not try on.
   */
  public static final Duration LEASE = Duration.ofSeconds(20);

  /** How long a question waits for another one's look. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final IoSupplier<ControlNotes> notes;
  private final LiveServers servers;
  private final ConfirmedMarks marks;
  private final LongSupplier nanos;
  private final SharedAnswer<BuiltRanges> looks;
  private volatile Answer last;

  /**
   * An answer by notes and servers, which lasts until they change, or a time of the clock comes.
   */
  private record Answer(
      ControlNotes notes, Set<ServerName> living, long until, BuiltRanges built) {}

  /**
   * @param notes those of the index table now; the same instance if nothing was written
   * @param aside runs what nobody waits for
   * @param nanos a clock that only goes forwards
   */
  public WatchedMarks(
      IoSupplier<ControlNotes> notes,
      LiveServers servers,
      ReportedOpenings meta,
      Executor aside,
      LongSupplier nanos) {
    this.notes = notes;
    this.servers = servers;
    this.marks = new ConfirmedMarks(meta, aside, nanos);
    this.nanos = nanos;
    this.looks = new SharedAnswer<>(PATIENCE, Duration.ZERO, nanos);
  }

  /**
   * The rows that have all their entries. Where hbase:meta does not answer, those are not among
   * them that it has not confirmed within {@link #LEASE}.
   *
   * @throws IOException if it cannot be told which servers live, or the notes cannot be read
   */
  public BuiltRanges built() throws IOException {
    Answer known = last;
    return known != null && lasts(known) ? known.built : looks.get(this::look);
  }

  /**
   * The same, and how long it lasts if no mark changes.
   *
   * @param most that it may last
   */
  @SuppressWarnings("ReferenceEquality") // The one is of the other, or nothing is known of it.
  BuiltLease leased(Duration most) throws IOException {
    BuiltRanges built = built();
    Answer known = last;
    long lasts = known.built == built ? known.until - nanos.getAsLong() : 0;
    return new BuiltLease(Math.max(0, Math.min(lasts, most.toNanos())), built);
  }

  @SuppressWarnings("ReferenceEquality") // Both are the same instance until something changes.
  private boolean lasts(Answer known) throws IOException {
    return nanos.getAsLong() - known.until < 0
        && notes.get() == known.notes
        && servers.living() == known.living;
  }

  private BuiltRanges look() throws IOException {
    ControlNotes now = notes.get();
    Set<ServerName> living = servers.living();
    Predicate<OpeningMark> settles = m -> m.isOpen() && living.contains(m.server());
    marks.renew();
    Set<OpeningMark> watched = marks.among(now.marks().stream().filter(settles).toList());
    List<OpeningMark> others =
        now.marks().stream().filter(m -> m.isOfOpening() && !watched.contains(m)).toList();
    Optional<Map<OpeningMark, Presence>> found = marks.find(watched, others, settles, living);
    found.ifPresent(f -> watched.addAll(f.keySet()));
    BuiltRanges built = now.believed(watched);
    boolean moving =
        found.stream()
            .flatMap(f -> f.entrySet().stream())
            .anyMatch(f -> f.getValue() == Presence.MOVING || !settles.test(f.getKey()));
    long until = moving ? nanos.getAsLong() : marks.lastUntil();
    last = new Answer(now, living, until, built);
    return built;
  }
}
