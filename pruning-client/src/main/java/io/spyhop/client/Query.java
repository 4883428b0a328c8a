package io.spyhop.client;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.plan.ParameterValues;
import io.spyhop.client.internal.plan.Projection;
import io.spyhop.client.internal.plan.WhereParser;
import io.spyhop.client.internal.query.ReadSettings;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.Attributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A query of a table: a condition, and optionally columns, rows, an order, a limit and a way.
 * Immutable and thread-safe; every method returns a changed copy.
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
  private static final Duration MOST_TIME = Duration.ofDays(1_000);

  /** Null for every row. */
  private final Predicate predicate;

  private final List<String> selected;
  private final RowRange range;
  private final int limit;
  private final Optional<OrderBy> order;
  private final Options options;

  /** The settings that change how the answer is found, but not the answer. Not changed once set. */
  private static final class Options {
    private int caching = DEFAULT_CACHING;
    private Optional<String> hint = Optional.empty();
    private int maxEntries = DEFAULT_MAX_ENTRIES;
    private Consistency consistency = Consistency.STRICT;
    private boolean pruning = true;
    private RowOrder rowOrder = RowOrder.KEY;
    private OnUnavailable onUnavailable = OnUnavailable.SCAN;
    private Optional<Duration> timeout = Optional.empty();
    private ReadSettings read = ReadSettings.USUAL;

    Options changed(Consumer<Options> change) {
      Options other = new Options();
      other.caching = caching;
      other.hint = hint;
      other.maxEntries = maxEntries;
      other.consistency = consistency;
      other.pruning = pruning;
      other.rowOrder = rowOrder;
      other.onUnavailable = onUnavailable;
      other.timeout = timeout;
      other.read = read;
      change.accept(other);
      return other;
    }
  }

  /**
   * The order of rows that is asked for.
   *
   * @param column as it was named
   * @param direction of its values
   */
  public record OrderBy(String column, Order direction) {
    @Override
    public String toString() {
      return column + (direction == Order.ASC ? "" : " " + direction);
    }
  }

  private Query(
      Predicate predicate,
      List<String> selected,
      RowRange range,
      int limit,
      Optional<OrderBy> order,
      Options options) {
    this.predicate = predicate;
    this.selected = selected;
    this.range = range;
    this.limit = limit;
    this.order = order;
    this.options = options;
  }

  private Query with(Consumer<Options> change) {
    return new Query(predicate, selected, range, limit, order, options.changed(change));
  }

  /**
   * Asks for the rows that satisfy a condition in SQL, see {@link WhereParser}.
   *
   * @throws InvalidQueryException if the text is not such a condition
   */
  public static Query where(String text) {
    return where(WhereParser.parse(Objects.requireNonNull(text, "the condition is null")));
  }

  /**
   * Gives a parameter its value, as {@link #set(String, Object)} does.
   *
   * @param number 1 for the condition's first {@code ?}
   */
  public Query set(int number, Object value) {
    return set(Integer.toString(number), value);
  }

  /**
   * Gives a parameter of the condition its value, which is never read as a part of the text. A
   * query with parameters is read once, and asked again and again with other values.
   *
   * <pre>{@code
   * Query cheap = Query.where("totalprice < :price AND priority IN (:priorities)");
   * table.query(cheap.set("price", 20_000).set("priorities", List.of("1-URGENT", "2-HIGH")));
   * }</pre>
   *
   * @param name {@code "price"} for {@code :price}
   * @param value as {@link io.spyhop.core.predicate.Predicates} takes it; in IN also a collection
   *     of such; in LIKE a pattern. It must fit the column's type when the query is asked
   * @throws InvalidQueryException if the condition has no such parameter without a value (a value
   *     is given once), or the value can be none, as null
   */
  public Query set(String name, Object value) {
    Objects.requireNonNull(name, "the name of a parameter is null");
    Predicate set = ParameterValues.set(predicate, name, value);
    return new Query(set, selected, range, limit, order, options);
  }

  /** Asks for the rows that satisfy a predicate. */
  public static Query where(Predicate predicate) {
    return new Query(
        Objects.requireNonNull(predicate, "the condition is null"),
        List.of(),
        RowRange.ALL,
        UNLIMITED,
        Optional.empty(),
        new Options());
  }

  /** Asks for every row; with {@link #orderBy}, for every one that has a value in that column. */
  public static Query all() {
    return new Query(null, List.of(), RowRange.ALL, UNLIMITED, Optional.empty(), new Options());
  }

  /** As the other method, the least value first. */
  public Query orderBy(String column) {
    return orderBy(column, Order.ASC);
  }

  /**
   * Returns rows in the order of a column's values, and rows of equal values in row-key order.
   * Values compare as in conditions. Rows in which the column is absent, or whose value does not
   * decode, are not returned. Rows of a bucketed table are sorted by the client.
   *
   * @param column {@code "d:totalprice"}, or the qualifier alone where it is unambiguous, or the
   *     name of an index of the column; {@code "CAST(d:custkey AS LONG)"} where its type is not
   *     declared; in double quotes, as in conditions, or without
   */
  public Query orderBy(String column, Order direction) {
    Objects.requireNonNull(column, "the column to order by is null");
    Objects.requireNonNull(direction, "the direction of the order is null");
    String name = column.indexOf('(') < 0 ? WhereParser.unquoted(column) : column;
    OrderBy by = new OrderBy(name, direction);
    return new Query(predicate, selected, range, limit, Optional.of(by), options);
  }

  /**
   * Returns these columns only; none for whole rows. Rows that satisfy the condition but have none
   * of the columns are not returned, as in a plain scan of these columns.
   *
   * @param columns {@code "d"} or {@code "d:"} for a family, {@code "d:totalprice"} for a column,
   *     or the qualifier alone where it is unambiguous; a name that is both is the family; in
   *     double quotes, as in conditions, or without. In quotes {@code "\"d:\""} is the column whose
   *     qualifier is empty
   */
  public Query select(String... columns) {
    Objects.requireNonNull(columns, "the selected columns are null");
    List<String> names = new ArrayList<>();
    for (String column : columns) {
      Objects.requireNonNull(column, "a selected column is null");
      names.add(Projection.isQuotedColumn(column) ? column : WhereParser.unquoted(column));
    }
    return new Query(predicate, List.copyOf(names), range, limit, order, options);
  }

  /**
   * Returns the first rows only.
   *
   * @param rows how many at most, 1 or more
   * @throws InvalidQueryException if it is less than 1
   */
  public Query limit(int rows) {
    requirePositive("limit", rows);
    return new Query(predicate, selected, range, rows, order, options);
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
    return with(o -> o.caching = rows);
  }

  /**
   * Overrides the planner.
   *
   * @param path {@link Attributes#PATH_AUTO}, {@link Attributes#PATH_SCAN}, {@link
   *     Attributes#PATH_INDEX} or the name of an index; answers do not depend on it
   */
  public Query hint(String path) {
    Optional<String> hint = Optional.of(Objects.requireNonNull(path, "the hint is null"));
    return with(o -> o.hint = hint);
  }

  /**
   * Lets a global index answer if it has at most so many entries that may match; otherwise the
   * table is scanned. All rows behind the entries are read one by one.
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Query maxEntries(int entries) {
    requirePositive("maxEntries", entries);
    return with(o -> o.maxEntries = entries);
  }

  /** Says which writes the query is sure to see; {@link Consistency#STRICT} where it does not. */
  public Query consistency(Consistency level) {
    Objects.requireNonNull(level, "the consistency is null");
    return with(o -> o.consistency = level);
  }

  /**
   * Says whether regions may be left out whose statistics show that no row matches; the answer is
   * the same.
   */
  public Query pruning(boolean allowed) {
    return with(o -> o.pruning = allowed);
  }

  /**
   * Says in which order rows of a bucketed table are wanted; {@link RowOrder#KEY} where it does
   * not. Those of a table without buckets come by their keys, or as {@link #orderBy} says, in any
   * case.
   *
   * <p>With {@link RowOrder#ANY} and a limit, these are some of the rows, not the first.
   */
  public Query rowOrder(RowOrder order) {
    Objects.requireNonNull(order, "the order is null");
    return with(o -> o.rowOrder = order);
  }

  /**
   * Says what is done where a global index that can answer is unavailable; {@link
   * OnUnavailable#SCAN} where it does not.
   */
  public Query onUnavailable(OnUnavailable then) {
    Objects.requireNonNull(then, "what is to be done without an index is null");
    return with(o -> o.onUnavailable = then);
  }

  /**
   * Ends the query if it has not returned all its rows in time, whatever it waits for: then the
   * next row, or the aggregate, is a {@link QueryCancelledException}. Without it HBase's own limits
   * hold, one after the other: minutes, if servers are lost.
   *
   * @param time from when the query is asked, what the reader does between rows included
   * @throws InvalidQueryException if it is less than a millisecond or more than a thousand days
   */
  public Query timeout(Duration time) {
    Objects.requireNonNull(time, "the timeout is null");
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(MOST_TIME) > 0) {
      throw new InvalidQueryException(
          "timeout " + time + " is not from a millisecond to a thousand days");
    }
    return with(o -> o.timeout = Optional.of(time));
  }

  /**
   * Reads as a scan of one's own would: with its time range, versions, isolation level and
   * attributes, as that of {@code setAuthorizations}, and with its priority, {@code cacheBlocks},
   * read type and {@code maxResultSize}. With a time range or another isolation level all rows in
   * range are scanned: indexes and statistics know the newest committed cells. Aggregates are of
   * the newest version in any case.
   *
   * <pre>{@code
   * Query.where("totalprice < 900").readLike(new Scan().setTimeRange(yesterday, today));
   * }</pre>
   *
   * @param scan may change afterwards
   * @throws InvalidQueryException if the scan has other settings, too: rows, columns, filter,
   *     caching and limit are said by the query, and queries do not read backwards, deleted cells,
   *     parts of rows or replicas
   */
  public Query readLike(Scan scan) {
    ReadSettings settings = ReadSettings.of(scan);
    return with(o -> o.read = settings);
  }

  /**
   * Asks within a range of row keys only.
   *
   * @param startInclusive empty for the table's beginning
   * @param stopExclusive empty for the table's end; one that is not behind the first finds nothing
   */
  public Query range(byte[] startInclusive, byte[] stopExclusive) {
    Objects.requireNonNull(startInclusive, "the first row is null; empty is the table's beginning");
    Objects.requireNonNull(stopExclusive, "the last row is null; empty is the table's end");
    RowRange rows = new RowRange(startInclusive.clone(), stopExclusive.clone());
    return new Query(predicate, selected, rows, limit, order, options);
  }

  /** The rows of this range from a key on. */
  Query from(byte[] start) {
    byte[] later = Bytes.compareTo(start, range.start()) > 0 ? start : range.start();
    RowRange rows = new RowRange(later, range.stop());
    return new Query(predicate, selected, rows, limit, order, options);
  }

  /** The rows that satisfy another condition, too. */
  Query and(Predicate other) {
    Predicate both = predicate == null ? other : Predicates.and(predicate, other);
    return new Query(both, selected, range, limit, order, options);
  }

  Query inKeyOrder() {
    return new Query(predicate, selected, range, limit, Optional.empty(), options);
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw new InvalidQueryException(option + " " + value + " is not 1 or more");
    }
  }

  /** The condition, not yet bound to a table; empty if every row is asked for. */
  public Optional<Predicate> predicate() {
    return Optional.ofNullable(predicate);
  }

  /** The order that is asked for; empty for row-key order. */
  public Optional<OrderBy> order() {
    return order;
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

  /** What is done where a global index that can answer is unavailable. */
  public OnUnavailable onUnavailable() {
    return options.onUnavailable;
  }

  /** How long the query may take; empty if that is not limited. */
  public Optional<Duration> timeout() {
    return options.timeout;
  }

  /** In which order rows of a bucketed table are wanted. */
  public RowOrder rowOrder() {
    return options.rowOrder;
  }

  RowRange range() {
    return range;
  }

  ReadSettings read() {
    return options.read;
  }

  @Override
  public String toString() {
    return (selected.isEmpty() ? "" : "SELECT " + String.join(", ", selected) + " ")
        + (predicate == null ? "ALL" : "WHERE " + predicate)
        + (range.equals(RowRange.ALL) ? "" : " WITHIN " + range)
        + order.map(o -> " ORDER BY " + o).orElse("")
        + (limit == UNLIMITED ? "" : " LIMIT " + limit)
        + options.hint.map(h -> " HINT " + h).orElse("")
        + (options.consistency.equals(Consistency.STRICT)
            ? ""
            : " CONSISTENCY " + options.consistency)
        + (options.pruning ? "" : " UNPRUNED")
        + (options.rowOrder == RowOrder.KEY ? "" : " IN ANY ORDER")
        + options.timeout.map(t -> " WITHIN " + t.toMillis() + " MS").orElse("")
        + (options.read.cells().isEmpty() ? "" : " READ WITH " + options.read.cells());
  }
}
