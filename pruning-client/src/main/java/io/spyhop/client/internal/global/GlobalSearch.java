package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.IndexAttempts.Try;
import io.spyhop.core.conf.CheckedSettings;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Finds the rows that may match a query in the global indexes of its table. Thread-safe.
 *
 * <p>A row that matches from the search's beginning to its end is found, even if its value changes
 * meanwhile: its old entry is not deleted before a grace period has passed, and a search ends
 * before (correctness rule 10). How rows are judged and read is not decided here.
 *
 * <p>Entries cost more than cells: as soon as the regions would be done sooner without the index,
 * it is left alone (docs/decisions/0037).
 */
public final class GlobalSearch {
  /** How long entries outlive what made them obsolete, as the servers' configuration has it. */
  private static final String GRACE = "spyhop.global.grace.ms";

  private static final long DEFAULT_GRACE = 30_000;

  /** What the entries of an index may take in memory, about. */
  private static final String BYTES = "spyhop.client.entries.bytes";

  private static final long DEFAULT_BYTES = 64 << 20;

  /** Without the setting the bound is at most this part of the heap. */
  private static final int HEAP_PART = 8;

  /** The longest that a query waits for an index before it scans. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** An index with so few entries in range is taken before another one is looked at further. */
  private static final int FEW = 200;

  /** How long it is remembered that no index is worth reading for a query. */
  private static final Duration MEMORY = Duration.ofSeconds(10);

  /** An index is read in at most so many ranges of values. */
  private static final int MAX_RANGES = 1_024;

  /** The index first that leads to the fewest rows, and leaves none to a scan. */
  private static final Comparator<EntryReading> FEWEST_FIRST =
      Comparator.comparing(EntryReading::isWhole)
          .thenComparing(r -> r.rest().isEmpty())
          .reversed()
          .thenComparing(r -> r.rows().size());

  private final IndexCalls calls;
  private final IndexAttempts attempts;
  private final ScanPool pool;
  private final Duration limit;
  private final EntryCosts costs;
  private final long mostBytes;
  private final RefusedSearches refused = new RefusedSearches(MEMORY);

  /**
   * @param pool runs calls to several regions
   * @param conf the connection's, which need not know the servers' settings
   */
  public GlobalSearch(IndexCalls calls, IndexAttempts attempts, ScanPool pool, Configuration conf) {
    this.calls = calls;
    this.pool = pool;
    this.attempts = attempts;
    this.costs = EntryCosts.of(conf);
    this.limit = timeLimit(conf);
    long usual = Math.min(DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    this.mostBytes = new CheckedSettings(conf).memory(BYTES, usual, 0);
  }

  /** How long entries that were read say where rows are. */
  static Duration timeLimit(Configuration conf) {
    long millis = new CheckedSettings(conf).millis(GRACE, DEFAULT_GRACE, 0);
    Duration grace = Duration.ofMillis(millis).dividedBy(2);
    return grace.compareTo(PATIENCE) < 0 ? grace : PATIENCE;
  }

  /**
   * Rows that may match.
   *
   * @param index where they were found
   * @param entries how many entries were read
   * @param rows with the entries that led to them, in row order; none of the rest
   * @param keys those of the rows, and of more where entries are read when they are wanted
   * @param rest rows that the index may lack, as they are being built or moved: any may match
   */
  public record Found(
      IndexDefinition index,
      long entries,
      NavigableMap<byte[], List<Entry>> rows,
      RowKeys keys,
      RowRanges rest) {
    /** All rows that there are. */
    public static Found of(
        IndexDefinition index, long entries, NavigableMap<byte[], List<Entry>> rows) {
      return new Found(index, entries, rows, RowKeys.of(rows.keySet()), new RowRanges(List.of()));
    }
  }

  /**
   * The result of a search.
   *
   * @param found empty if the query must be answered in another way
   * @param reason why, if it is empty
   * @param lasts whether the same would come of it a moment later
   */
  public record Outcome(Optional<Found> found, String reason, boolean lasts) {
    /** The query is answered in another way, as it was a moment ago. */
    Outcome(Optional<Found> found, String reason) {
      this(found, reason, true);
    }

    private static Outcome of(
        EntryReading reading, NavigableMap<byte[], List<Entry>> rows, RowKeys keys) {
      Found found = new Found(reading.index(), reading.read(), rows, keys, reading.rest());
      return new Outcome(Optional.of(found), "");
    }
  }

  /**
   * Searches.
   *
   * @param plain what the query costs without
   * @throws IOException only if the thread was interrupted
   */
  public Outcome search(EntryQuery query, PlainCost plain) throws IOException {
    Optional<String> before = refused.reason(query);
    if (before.isPresent()) {
      return new Outcome(Optional.empty(), before.get());
    }
    Weighing weighing = new Weighing(query, costs, plain);
    if (weighing.isTooSmall()) {
      return new Outcome(Optional.empty(), "a scan of so few cells is cheaper than an index");
    }
    Outcome outcome = search(query, weighing);
    if (outcome.found.isEmpty() && outcome.lasts) {
      refused.put(query, outcome.reason);
    }
    return outcome;
  }

  /** A look into each index; one that leads to few rows is taken before others go on. */
  private Outcome search(EntryQuery query, Weighing weighing) throws IOException {
    List<String> reasons = new ArrayList<>();
    List<EntryReading> begun = new ArrayList<>();
    boolean lasts = true;
    for (IndexDefinition index : query.drivers()) {
      if (query.ranges(index) > MAX_RANGES) {
        reasons.add(named(index, "would be read in more than " + MAX_RANGES + " ranges"));
        continue;
      }
      Try<EntryReading> few = attempts.attempt(index, limit, () -> begin(query, index));
      if (few.value().isEmpty()) {
        reasons.add(named(index, few.why()));
        lasts = false;
        continue;
      }
      EntryReading reading = few.value().get();
      if (isTaken(reading, query) && weighing.narrowing(reading.rows()) == 0) {
        return whole(reading, reading.rows());
      }
      begun.add(reading);
    }
    if (begun.size() == 1 && isReadOnDemand(begun.get(0), query, weighing)) {
      return onDemand(begun.get(0), query, weighing);
    }
    begun.sort(FEWEST_FIRST);
    for (EntryReading reading : begun) {
      Try<EntryReading> all = finish(reading, query, weighing);
      if (all.value().isPresent() && isTaken(reading, query)) {
        NavigableMap<byte[], List<Entry>> rows = narrowed(reading, begun, weighing);
        if (weighing.isWorth(rows)) {
          return whole(reading, rows);
        }
      }
      lasts &= all.value().isPresent();
      reasons.add(
          all.value().isPresent() ? tooMany(reading, query) : named(reading.index(), all.why()));
    }
    return new Outcome(Optional.empty(), String.join("; ", reasons), lasts);
  }

  private static Outcome whole(EntryReading reading, NavigableMap<byte[], List<Entry>> rows) {
    return Outcome.of(reading, rows, RowKeys.of(rows.keySet()));
  }

  private Outcome onDemand(EntryReading reading, EntryQuery query, Weighing weighing) {
    return Outcome.of(
        reading,
        reading.rows(),
        new SettledRows(reading, attempts, weighing, query.maxEntries(), limit));
  }

  /**
   * Whether the first rows in order are known without the last, and few of them may be enough. A
   * second index might leave out most of them; then both are read.
   */
  private static boolean isReadOnDemand(EntryReading reading, EntryQuery query, Weighing weighing)
      throws IOException {
    return query.hasLimit()
        && !reading.isWhole()
        && query.drivers().size() == 1
        && query.isOfOneValue(reading.index())
        && weighing.isWorthSoFar(reading.rows());
  }

  /**
   * Leaves out rows that another index does not lead to, where reading its entries costs less than
   * reading the rows.
   *
   * <p>That only narrows. A row that matches while both are read has a value in range in both
   * columns all that time, so both lead to it: entries of values that it had outlive the search
   * (correctness rule 10). But the other index leads only to rows that it had whole before it was
   * read: those of its rest stay (docs/decisions/0072).
   */
  private NavigableMap<byte[], List<Entry>> narrowed(
      EntryReading reading, List<EntryReading> begun, Weighing weighing) throws IOException {
    NavigableMap<byte[], List<Entry>> rows = reading.rows();
    for (EntryReading other : begun) {
      long most = weighing.narrowing(rows);
      if (other != reading && (other.isWhole() || other.read() <= most)) {
        attempts.attempt(other.index(), other.left(limit), () -> Try.of(other.upTo(most)));
        rows = other.isWhole() ? other.among(rows) : rows;
      }
    }
    return rows;
  }

  private Try<EntryReading> begin(EntryQuery query, IndexDefinition index) throws IOException {
    EntryReading reading =
        new EntryReading(calls, pool, query, index, mostBytes).upTo(few(query, index));
    return reading.knowsNothing() ? Try.not("is BUILDING") : Try.of(reading);
  }

  /** The entries of a first look; with a limit a few more than rows are asked for may be enough. */
  private static long few(EntryQuery query, IndexDefinition index) {
    long few = Math.min(FEW, query.maxEntries());
    boolean first = query.hasLimit() && query.isOfOneValue(index);
    return first ? Math.min(few, query.limit() + query.limit() / 4) : few;
  }

  /** Reads on as long as that is worth it; with a limit each look makes that clearer. */
  private Try<EntryReading> finish(EntryReading reading, EntryQuery query, Weighing weighing)
      throws IOException {
    long most = weighing.budget(reading.rows());
    while (!reading.isWhole() && reading.read() <= most && !reading.isFull()) {
      long next = query.hasLimit() ? Math.min(most, 2 * reading.read()) : most;
      Try<EntryReading> more =
          attempts.attempt(reading.index(), reading.left(limit), () -> Try.of(reading.upTo(next)));
      if (more.value().isEmpty()) {
        return more;
      }
      most = query.hasLimit() ? Math.min(most, weighing.budget(reading.rows())) : most;
    }
    return Try.of(reading);
  }

  private static boolean isTaken(EntryReading reading, EntryQuery query) {
    return reading.isWhole() && reading.read() <= query.maxEntries();
  }

  private String tooMany(EntryReading reading, EntryQuery query) {
    if (reading.isFull()) {
      String why = "has entries of more than " + mostBytes + " bytes in range (" + BYTES + ")";
      return named(reading.index(), why);
    }
    long read = reading.read();
    String most = read > query.maxEntries() ? "more than " + query.maxEntries() : "" + read;
    String count =
        reading.isWhole() || read > query.maxEntries() ? most : "more than " + (read - 1);
    String then = read > query.maxEntries() ? "" : ", a scan is cheaper";
    return named(reading.index(), "has " + count + " entries in range" + then);
  }

  private static String named(IndexDefinition index, String why) {
    return "global index '" + index.name() + "' " + why;
  }
}
