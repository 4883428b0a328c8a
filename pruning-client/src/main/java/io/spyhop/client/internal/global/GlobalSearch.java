package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.global.IndexAttempts.Try;
import io.spyhop.core.conf.CheckedSettings;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final int MAX_SPANS = 256;

  private final IndexCalls calls;
  private final IndexAttempts attempts;
  private final Duration limit;
  private final EntryCosts costs;
  private final long mostBytes;
  private final RefusedSearches refused = new RefusedSearches(MEMORY);

  /**
   * @param conf the connection's, which need not know the servers' settings
   */
  public GlobalSearch(IndexCalls calls, IndexAttempts attempts, Configuration conf) {
    this.calls = calls;
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
   * @param rest rows that the index may lack, as they are being built or moved: any may match
   */
  public record Found(
      IndexDefinition index,
      long entries,
      NavigableMap<byte[], List<Entry>> rows,
      RowRanges rest) {}

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

    private static Outcome of(EntryReading all) {
      Found found = new Found(all.index(), all.read(), all.rows(), all.rest());
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

  /** A look into each index; one that has few entries in range is taken before others go on. */
  private Outcome search(EntryQuery query, Weighing weighing) throws IOException {
    List<String> reasons = new ArrayList<>();
    List<EntryReading> begun = new ArrayList<>();
    boolean lasts = true;
    for (IndexDefinition index : query.drivers()) {
      Try<EntryReading> few = attempts.attempt(index, limit, () -> begin(query, index));
      if (few.value().isEmpty()) {
        reasons.add(named(index, few.why()));
        lasts = false;
      } else if (!few.value().get().isWhole()) {
        begun.add(few.value().get());
      } else if (isTaken(few.value().get(), query, weighing)) {
        return Outcome.of(few.value().get());
      } else {
        reasons.add(tooMany(few.value().get(), query));
      }
    }
    for (EntryReading reading : begun) {
      Try<EntryReading> all = finish(reading, query, weighing);
      if (all.value().isPresent() && isTaken(reading, query, weighing)) {
        return Outcome.of(reading);
      }
      lasts &= all.value().isPresent();
      reasons.add(
          all.value().isPresent() ? tooMany(reading, query) : named(reading.index(), all.why()));
    }
    return new Outcome(Optional.empty(), String.join("; ", reasons), lasts);
  }

  private Try<EntryReading> begin(EntryQuery query, IndexDefinition index) throws IOException {
    if (query.spans(index).size() > MAX_SPANS) {
      return Try.not("would be read in more than " + MAX_SPANS + " ranges");
    }
    int few = Math.min(FEW, query.maxEntries());
    EntryReading reading = new EntryReading(calls, query, index, mostBytes).upTo(few);
    return reading.knowsNothing() ? Try.not("is BUILDING") : Try.of(reading);
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

  private static boolean isTaken(EntryReading reading, EntryQuery query, Weighing weighing)
      throws IOException {
    return reading.isWhole()
        && reading.read() <= query.maxEntries()
        && weighing.isWorth(reading.rows());
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
