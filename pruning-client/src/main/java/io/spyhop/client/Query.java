package io.spyhop.client;

import io.spyhop.client.exec.RowRange;
import io.spyhop.client.plan.WhereParser;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.region.Attributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is asked of a table: a condition, and optionally which columns, which rows, how many and by
 * which way. Immutable and thread-safe; every method returns a changed copy.
 *
 * <pre>{@code
 * Query.where("totalprice BETWEEN 20000 AND 45000 AND priority = '3-MEDIUM'")
 *     .select("d:totalprice", "d:custkey")
 *     .limit(100);
 * }</pre>
 */
public final class Query {
  /** How many rows are fetched at a time where a query does not say. */
  public static final int DEFAULT_CACHING = 1000;

  /** How many entries of a global index are read for a query where it does not say. */
  public static final int DEFAULT_MAX_ENTRIES = 5_000;

  private static final int UNLIMITED = 0;

  private final Predicate predicate;
  private final List<String> selected;
  private final RowRange range;
  private final int limit;
  private final int caching;
  private final Optional<String> hint;
  private final int maxEntries;

  private Query(
      Predicate predicate,
      List<String> selected,
      RowRange range,
      int limit,
      int caching,
      Optional<String> hint,
      int maxEntries) {
    this.predicate = predicate;
    this.selected = selected;
    this.range = range;
    this.limit = limit;
    this.caching = caching;
    this.hint = hint;
    this.maxEntries = maxEntries;
  }

  /**
   * Asks for the rows that satisfy a condition in SQL, see {@link WhereParser}.
   *
   * @throws InvalidQueryException if the text is not such a condition
   */
  public static Query where(String text) {
    return where(WhereParser.parse(text));
  }

  /** Asks for the rows that satisfy a predicate. */
  public static Query where(Predicate predicate) {
    return new Query(
        Objects.requireNonNull(predicate, "predicate"),
        List.of(),
        RowRange.ALL,
        UNLIMITED,
        DEFAULT_CACHING,
        Optional.empty(),
        DEFAULT_MAX_ENTRIES);
  }

  /**
   * Returns these columns only; none for whole rows. Rows that satisfy the condition but have none
   * of the columns are not returned, as in a plain scan of these columns.
   *
   * @param columns {@code "d"} or {@code "d:"} for a family, {@code "d:totalprice"} for a column,
   *     or the qualifier alone where it is unambiguous; a name that is both is the family
   */
  public Query select(String... columns) {
    return new Query(predicate, List.of(columns), range, limit, caching, hint, maxEntries);
  }

  /**
   * Returns the first rows only.
   *
   * @param rows how many at most, 1 or more
   * @throws InvalidQueryException if it is less than 1
   */
  public Query limit(int rows) {
    requirePositive("limit", rows);
    return new Query(predicate, selected, range, rows, caching, hint, maxEntries);
  }

  /**
   * Sets how many rows are fetched at a time, and how many a region may be ahead of the reader.
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Query caching(int rows) {
    requirePositive("caching", rows);
    return new Query(predicate, selected, range, limit, rows, hint, maxEntries);
  }

  /**
   * Overrides the planner.
   *
   * @param path {@link Attributes#PATH_AUTO}, {@link Attributes#PATH_SCAN}, {@link
   *     Attributes#PATH_INDEX} or the name of an index; answers do not depend on it
   */
  public Query hint(String path) {
    return new Query(predicate, selected, range, limit, caching, Optional.of(path), maxEntries);
  }

  /**
   * Lets a global index answer if it has at most so many entries that may match; otherwise the
   * table is scanned. All rows behind the entries are read one by one.
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Query maxEntries(int entries) {
    requirePositive("maxEntries", entries);
    return new Query(predicate, selected, range, limit, caching, hint, entries);
  }

  /**
   * Asks within a range of row keys only.
   *
   * @param startInclusive empty for the table's beginning
   * @param stopExclusive empty for the table's end
   */
  public Query range(byte[] startInclusive, byte[] stopExclusive) {
    RowRange rows = new RowRange(startInclusive.clone(), stopExclusive.clone());
    return new Query(predicate, selected, rows, limit, caching, hint, maxEntries);
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw new InvalidQueryException(option + " " + value + " is not 1 or more");
    }
  }

  /** The condition, not yet bound to a table. */
  public Predicate predicate() {
    return predicate;
  }

  /** The selected columns as they were named; empty for whole rows. */
  public List<String> selected() {
    return selected;
  }

  /** The most rows to return; empty for all. */
  public OptionalInt limit() {
    return limit == UNLIMITED ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** How many rows are fetched at a time. */
  public int caching() {
    return caching;
  }

  /** The override of the planner, if there is one. */
  public Optional<String> hint() {
    return hint;
  }

  /** How many entries of a global index are read at most. */
  public int maxEntries() {
    return maxEntries;
  }

  RowRange range() {
    return range;
  }

  @Override
  public String toString() {
    return (selected.isEmpty() ? "" : "SELECT " + String.join(", ", selected) + " ")
        + "WHERE "
        + predicate
        + (range.equals(RowRange.ALL) ? "" : " WITHIN " + range)
        + (limit == UNLIMITED ? "" : " LIMIT " + limit)
        + hint.map(h -> " HINT " + h).orElse("");
  }
}
