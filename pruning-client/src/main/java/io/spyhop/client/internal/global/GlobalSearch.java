package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the rows that may match a query in the global indexes of its table. Thread-safe.
 *
 * <p>A row that matches from the search's beginning to its end is found, even if its value changes
 * meanwhile: its old entry is not deleted before a grace period has passed, and a search ends
 * before (correctness rule 10). How rows are judged and read is not decided here.
 */
public final class GlobalSearch {
  /** How long entries outlive what made them obsolete, as the servers' configuration has it. */
  private static final String GRACE = "spyhop.global.grace.ms";

  private static final long DEFAULT_GRACE = 30_000;

  /** The longest that a query waits for an index before it scans. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long an index that did not answer is left alone. */
  private static final Duration REST = Duration.ofSeconds(10);

  /** An index with so few entries in range is taken before another one is looked at further. */
  private static final int FEW = 200;

  private static final int PAGE = 1_000;
  private static final int MAX_SPANS = 256;
  private static final Logger LOG = LoggerFactory.getLogger(GlobalSearch.class);

  private final IndexCalls calls;
  private final ScanPool pool;
  private final Duration limit;

  /** Until when indexes are left alone, by incarnation. */
  private final Map<Long, Long> resting = new ConcurrentHashMap<>();

  /** When their tables' regions were last forgotten, by incarnation. */
  private final Map<Long, Long> forgotten = new ConcurrentHashMap<>();

  /**
   * @param conf the connection's, which need not know the servers' settings
   */
  public GlobalSearch(IndexCalls calls, ScanPool pool, Configuration conf) {
    this.calls = calls;
    this.pool = pool;
    Duration grace = Duration.ofMillis(conf.getLong(GRACE, DEFAULT_GRACE)).dividedBy(2);
    this.limit = grace.compareTo(PATIENCE) < 0 ? grace : PATIENCE;
  }

  /**
   * What is searched for.
   *
   * @param hint as a query has it
   * @param rows of the base table
   * @param maxEntries the most entries that are read of an index
   */
  public record EntryQuery(
      BoundPredicate predicate, IndexSchema indexes, String hint, RowRange rows, int maxEntries) {
    /** The indexes that can answer, as far as predicate and hint say; often none. */
    public List<IndexDefinition> drivers() {
      boolean any = hint.equals(Attributes.PATH_AUTO) || hint.equals(Attributes.PATH_INDEX);
      return indexes.globals().indexes().stream()
          .filter(d -> any || d.name().equals(hint))
          .filter(this::drives)
          .toList();
    }

    private boolean drives(IndexDefinition index) {
      int column = predicate.columnOf(index.column());
      return column >= 0
          && predicate.columns().get(column).type() == index.type()
          && predicate.canDrive(column);
    }

    private List<EntryRows.Span> spans(IndexDefinition index) {
      return EntryRows.of(predicate.keyRanges(predicate.columnOf(index.column())));
    }
  }

  /**
   * Rows that may match.
   *
   * @param index where they were found
   * @param entries how many entries were read
   * @param rows with the entries that led to them, in row order
   */
  public record Found(IndexDefinition index, long entries, NavigableMap<byte[], List<Entry>> rows) {
    private static Found none(IndexDefinition index) {
      return new Found(index, 0, new TreeMap<>(Bytes.BYTES_COMPARATOR));
    }
  }

  /**
   * The result of a search.
   *
   * @param found empty if the query must be answered in another way
   * @param reason why, if it is empty
   */
  public record Outcome(Optional<Found> found, String reason) {}

  /** What one index says: something, or why not. */
  private record Try<T>(Optional<T> value, String why) {
    static <T> Try<T> of(T value) {
      return new Try<>(Optional.of(value), "");
    }

    static <T> Try<T> not(String why) {
      return new Try<>(Optional.empty(), why);
    }
  }

  /**
   * Searches.
   *
   * @throws IOException only if the thread was interrupted
   */
  public Outcome search(EntryQuery query) throws IOException {
    List<String> reasons = new ArrayList<>();
    List<IndexDefinition> active = new ArrayList<>();
    for (IndexDefinition index : query.drivers()) {
      Try<IndexDefinition> usable = attempt(index, () -> usable(query, index));
      usable.value.ifPresentOrElse(active::add, () -> reasons.add(named(index, usable.why)));
    }
    int few = Math.min(FEW, query.maxEntries);
    for (int most : few == query.maxEntries ? List.of(few) : List.of(few, query.maxEntries)) {
      for (IndexDefinition index : List.copyOf(active)) {
        Try<Found> found = attempt(index, () -> collect(query, index, most));
        if (found.value.isPresent()) {
          return new Outcome(found.value, "");
        }
        if (most == query.maxEntries || !found.why.equals(tooMany(most))) {
          reasons.add(named(index, found.why));
          active.remove(index);
        }
      }
    }
    return new Outcome(Optional.empty(), String.join("; ", reasons));
  }

  private static String named(IndexDefinition index, String why) {
    return "global index '" + index.name() + "' " + why;
  }

  private static String tooMany(int most) {
    return "has more than " + most + " entries in range";
  }

  /** Asks an index; what goes wrong is the reason not to use it. */
  private <T> Try<T> attempt(IndexDefinition index, Bounded.Call<Try<T>> call) throws IOException {
    Long until = resting.get(index.incarnation());
    if (until != null && until - System.nanoTime() > 0) {
      return Try.not("did not answer a moment ago");
    }
    try {
      return Bounded.call(pool, limit, call, () -> forgetRegions(index));
    } catch (TableNotFoundException e) {
      LOG.debug("Index {} has no table", index, e);
      return Try.not("has no table: rebuild it");
    } catch (IOException | RuntimeException e) {
      Bounded.requireNotInterrupted(e);
      LOG.debug("Index {} cannot be used now", index, e);
      if (!Refusals.isRefusal(e)) {
        resting.put(index.incarnation(), System.nanoTime() + REST.toNanos());
      }
      return Try.not("cannot be used: " + Refusals.text(e));
    }
  }

  /** At most once in a while: an index that is slow is not where regions are looked up. */
  private void forgetRegions(IndexDefinition index) throws IOException {
    long now = System.nanoTime();
    Long last = forgotten.get(index.incarnation());
    if (last == null || now - last > REST.toNanos()) {
      forgotten.put(index.incarnation(), now);
      calls.forgetRegions(index);
    }
  }

  private Try<IndexDefinition> usable(EntryQuery query, IndexDefinition index) throws IOException {
    if (query.spans(index).size() > MAX_SPANS) {
      return Try.not("would be read in more than " + MAX_SPANS + " ranges");
    }
    return calls.built(index).isComplete() ? Try.of(index) : Try.not("is BUILDING");
  }

  private Try<Found> collect(EntryQuery query, IndexDefinition index, int most) throws IOException {
    Found found = Found.none(index);
    EntryWalk walk =
        new EntryWalk(
            calls, index, new EntryWalk.Wanted(query.spans(index), Long.MAX_VALUE, false));
    long read = 0;
    while (walk.position().isPresent() && read <= most) {
      Bounded.requireTime();
      List<Entry> entries = walk.next((int) Math.min(PAGE, most + 1 - read));
      read += entries.size();
      for (Entry e : entries) {
        if (query.rows.contains(e.row())) {
          found.rows.computeIfAbsent(e.row(), r -> new ArrayList<>(1)).add(e);
        }
      }
    }
    if (read > most) {
      return Try.not(tooMany(most));
    }
    return Try.of(new Found(index, read, found.rows));
  }
}
