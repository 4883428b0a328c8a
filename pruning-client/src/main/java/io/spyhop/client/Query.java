package io.spyhop.client;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.plan.WhereParser;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.Attributes;
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
  private final Options options;

  /** What changes how the answer is found. */
  private record Options(
      int caching,
      Optional<String> hint,
      int maxEntries,
      Consistency consistency,
      boolean pruning,
      RowOrder order) {
    private static final Options DEFAULT =
        new Options(
            DEFAULT_CACHING,
            Optional.empty(),
            DEFAULT_MAX_ENTRIES,
            Consistency.STRICT,
            true,
            RowOrder.KEY);
  }

  private Query(
      Predicate predicate, List<String> selected, RowRange range, int limit, Options options) {
    this.predicate = predicate;
    this.selected = selected;
    this.range = range;
    this.limit = limit;
    this.options = options;
  }

  private Query with(Options other) {
    return new Query(predicate, selected, range, limit, other);
  }

  /**
   * Asks for the rows that satisfy a condition in SQL, see {@link WhereParser}.
   *
   * @throws InvalidQueryException if the text is not such a condition
   */
  public static Query where(String text) {
    return where(WhereParser.parse(Objects.requireNonNull(text, "the condition is null")));
  }

  /** Asks for the rows that satisfy a predicate. */
  public static Query where(Predicate predicate) {
    return new Query(
        Objects.requireNonNull(predicate, "the condition is null"),
        List.of(),
        RowRange.ALL,
        UNLIMITED,
        Options.DEFAULT);
  }

  /**
   * Returns these columns only; none for whole rows. Rows that satisfy the condition but have none
   * of the columns are not returned, as in a plain scan of these columns.
   *
   * @param columns {@code "d"} or {@code "d:"} for a family, {@code "d:totalprice"} for a column,
   *     or the qualifier alone where it is unambiguous; a name that is both is the family
   */
  public Query select(String... columns) {
    Objects.requireNonNull(columns, "the selected columns are null");
    for (String column : columns) {
      Objects.requireNonNull(column, "a selected column is null");
    }
    return new Query(predicate, List.of(columns), range, limit, options);
  }

  /**
   * Returns the first rows only.
   *
   * @param rows how many at most, 1 or more
   * @throws InvalidQueryException if it is less than 1
   */
  public Query limit(int rows) {
    requirePositive("limit", rows);
    return new Query(predicate, selected, range, rows, options);
  }

  /**
   * Sets how many rows are fetched at a time, and how many a region may be ahead of the reader
   * until that many were read. Then regions may be further ahead, as long as there is room ({@link
   * io.spyhop.client.internal.exec.ReadAhead}).
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Query caching(int rows) {
    requirePositive("caching", rows);
    return with(
        new Options(
            rows,
            options.hint,
            options.maxEntries,
            options.consistency,
            options.pruning,
            options.order));
  }

  /**
   * Overrides the planner.
   *
   * @param path {@link Attributes#PATH_AUTO}, {@link Attributes#PATH_SCAN}, {@link
   *     Attributes#PATH_INDEX} or the name of an index; answers do not depend on it
   */
  public Query hint(String path) {
    return with(
        new Options(
            options.caching,
            Optional.of(Objects.requireNonNull(path, "the hint is null")),
            options.maxEntries,
            options.consistency,
            options.pruning,
            options.order));
  }

  /**
   * Lets a global index answer if it has at most so many entries that may match; otherwise the
   * table is scanned. All rows behind the entries are read one by one.
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Query maxEntries(int entries) {
    requirePositive("maxEntries", entries);
    return with(
        new Options(
            options.caching,
            options.hint,
            entries,
            options.consistency,
            options.pruning,
            options.order));
  }

  /** Says which writes the query is sure to see; {@link Consistency#STRICT} where it does not. */
  public Query consistency(Consistency level) {
    Objects.requireNonNull(level, "the consistency is null");
    return with(
        new Options(
            options.caching,
            options.hint,
            options.maxEntries,
            level,
            options.pruning,
            options.order));
  }

  /**
   * Says whether regions may be left out whose statistics show that no row matches; the answer is
   * the same.
   */
  public Query pruning(boolean allowed) {
    return with(
        new Options(
            options.caching,
            options.hint,
            options.maxEntries,
            options.consistency,
            allowed,
            options.order));
  }

  /**
   * Says in which order rows are wanted; {@link RowOrder#KEY} where it does not. In a table without
   * buckets they come by their keys in any case.
   *
   * <p>With {@link RowOrder#ANY} and a limit, these are some of the rows, not the first.
   */
  public Query order(RowOrder order) {
    Objects.requireNonNull(order, "the order is null");
    return with(
        new Options(
            options.caching,
            options.hint,
            options.maxEntries,
            options.consistency,
            options.pruning,
            order));
  }

  /**
   * Asks within a range of row keys only.
   *
   * @param startInclusive empty for the table's beginning
   * @param stopExclusive empty for the table's end
   */
  public Query range(byte[] startInclusive, byte[] stopExclusive) {
    Objects.requireNonNull(startInclusive, "the first row is null; empty is the table's beginning");
    Objects.requireNonNull(stopExclusive, "the last row is null; empty is the table's end");
    RowRange rows = new RowRange(startInclusive.clone(), stopExclusive.clone());
    return new Query(predicate, selected, rows, limit, options);
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
    return options.caching;
  }

  /** The override of the planner, if there is one. */
  public Optional<String> hint() {
    return options.hint;
  }

  /** How many entries of a global index are read at most. */
  public int maxEntries() {
    return options.maxEntries;
  }

  /** Which writes the query is sure to see. */
  public Consistency consistency() {
    return options.consistency;
  }

  /** Whether regions may be left out. */
  public boolean pruning() {
    return options.pruning;
  }

  /** In which order rows are wanted. */
  public RowOrder order() {
    return options.order;
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
        + options.hint.map(h -> " HINT " + h).orElse("")
        + (options.consistency.equals(Consistency.STRICT)
            ? ""
            : " CONSISTENCY " + options.consistency)
        + (options.pruning ? "" : " UNPRUNED")
        + (options.order == RowOrder.KEY ? "" : " IN ANY ORDER");
  }
}
