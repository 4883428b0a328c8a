package io.spyhop.bench.mdrq;

import io.spyhop.bench.tpch.OrdersTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One query of the paper's Table IV, or one like these.
 *
 * @param name as in the paper
 * @param minPrice smallest totalprice, inclusive
 * @param maxPrice largest totalprice, inclusive
 * @param since earliest orderdate, inclusive, {@code yyyy-MM-dd}
 * @param priority the orderpriority
 * @param limit how many rows at most, the first ones in row-key order
 */
public record MdrqQuery(
    String name,
    int minPrice,
    int maxPrice,
    Optional<String> since,
    Optional<String> priority,
    OptionalInt limit)
    implements Question {
  private static final OptionalInt ALL_ROWS = OptionalInt.empty();
  private static final int TEN = 10;

  /** The price range alone: the query whose answer is largest. */
  public static final MdrqQuery SCAN_A =
      new MdrqQuery("Scan-A", 20_000, 45_000, Optional.empty(), Optional.empty(), ALL_ROWS);

  /** All five, in the paper's order. */
  public static final List<MdrqQuery> ALL =
      List.of(
          SCAN_A,
          new MdrqQuery(
              "MDRQ-A", 20_000, 45_000, Optional.of("1997-03-10"), Optional.empty(), ALL_ROWS),
          medium("MDRQ-B", 20_000, 45_000, "1997-03-10"),
          medium("MDRQ-C", 20_000, 35_000, "1997-11-10"),
          medium("MDRQ-D", 25_000, 35_000, "1998-03-10"));

  /** The priority that the queries ask for. */
  static final String MEDIUM = "3-MEDIUM";

  /** Ten rows of about one in a thousand. */
  static final List<MdrqQuery> NARROW =
      List.of(
          firstTen("Narrow-A", 100_000, 100_275, Optional.empty()),
          firstTen("Narrow-B", 100_000, 101_350, Optional.of(MEDIUM)));

  /** Ten rows of about a third, and of a fifth of these. */
  static final List<MdrqQuery> WIDE =
      List.of(
          firstTen("Wide-A", 100_000, 182_000, Optional.empty()),
          firstTen("Wide-B", 100_000, 182_000, Optional.of(MEDIUM)));

  /** Those of the paper, and ten rows of a narrow and of a wide range with a priority. */
  static final List<MdrqQuery> WITH_LIMITS =
      Stream.of(ALL, NARROW.subList(1, 2), WIDE.subList(1, 2)).flatMap(List::stream).toList();

  private static MdrqQuery medium(String name, int minPrice, int maxPrice, String since) {
    return new MdrqQuery(
        name, minPrice, maxPrice, Optional.of(since), Optional.of(MEDIUM), ALL_ROWS);
  }

  private static MdrqQuery firstTen(
      String name, int minPrice, int maxPrice, Optional<String> priority) {
    return new MdrqQuery(name, minPrice, maxPrice, Optional.empty(), priority, OptionalInt.of(TEN));
  }

  /** The condition in SQL. */
  @Override
  public String where() {
    return where("" + maxPrice);
  }

  @Override
  public String prepared() {
    return where(":other");
  }

  /** Prices have no more than cents. */
  @Override
  public Object other(long number) {
    return BigDecimal.valueOf(maxPrice).add(BigDecimal.valueOf(number % 100_000_000, 10));
  }

  private String where(String mostPrice) {
    return "totalprice BETWEEN "
        + minPrice
        + " AND "
        + mostPrice
        + since.map(d -> " AND orderdate >= '" + d + "'").orElse("")
        + priority.map(p -> " AND orderpriority = '" + p + "'").orElse("");
  }

  /** The condition in HBase's own filters; a fresh one, as filters have state. */
  public Filter columnFilters() {
    FilterList all = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    all.addFilter(price(CompareOperator.GREATER_OR_EQUAL, minPrice));
    all.addFilter(price(CompareOperator.LESS_OR_EQUAL, maxPrice));
    since.ifPresent(
        d -> all.addFilter(text(OrdersTable.ORDERDATE, CompareOperator.GREATER_OR_EQUAL, d)));
    priority.ifPresent(
        p -> all.addFilter(text(OrdersTable.ORDERPRIORITY, CompareOperator.EQUAL, p)));
    return all;
  }

  /** The bytes of doubles that are not negative order as the numbers do. */
  private static Filter price(CompareOperator operator, double bound) {
    return column(OrdersTable.TOTALPRICE, operator, Bytes.toBytes(bound));
  }

  private static Filter text(byte[] qualifier, CompareOperator operator, String bound) {
    return column(qualifier, operator, Bytes.toBytes(bound));
  }

  private static Filter column(byte[] qualifier, CompareOperator operator, byte[] bound) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(OrdersTable.FAMILY, qualifier, operator, bound);
    filter.setFilterIfMissing(true);
    return filter;
  }
}
