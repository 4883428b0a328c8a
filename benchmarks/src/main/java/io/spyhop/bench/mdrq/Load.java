package io.spyhop.bench.mdrq;

import io.spyhop.bench.tpch.OrdersTable;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A way to fill a table. Immutable.
 *
 * @param passes one after the other
 * @param regions how many the table has, where it is not for the caller to say
 * @param kind of table
 */
record Load(List<Pass> passes, OptionalInt regions, Kind kind) {
  /** Kinds of tables. */
  enum Kind {
    /** With HBase's defaults. */
    DEFAULTS,

    /**
     * Memstores and HFiles stay as the passes leave them: nothing is flushed, compacted or split
     * unless the benchmark asks for it.
     */
    KEPT,

    /** Encoded and compressed, else as by default. */
    ENCODED,

    /** By default; with more rows than the others: 20 million if these have 1.5. */
    LARGE
  }

  private static final int LARGE_ROWS = 40;
  private static final int OTHER_ROWS = 3;

  /** In key order. */
  static final Load KEY_ORDER = new Load(List.of(Pass.ALL), OptionalInt.empty(), Kind.DEFAULTS);

  /** The same, encoded and compressed. */
  static final Load ENCODED = new Load(List.of(Pass.ALL), OptionalInt.empty(), Kind.ENCODED);

  /** Many rows with short values, in key order. */
  static final Load NARROW = new Load(List.of(Pass.NARROW), OptionalInt.empty(), Kind.LARGE);

  /** In key order, into many regions. */
  static final Load MANY_REGIONS = new Load(List.of(Pass.ALL), OptionalInt.of(64), Kind.KEPT);

  private static final int OVERLAPPING_FILES = 5;
  private static final int UPDATED_PERCENT = 20;

  /** In an order that looks like chance; each region gets HFiles that reach all over it. */
  static final Load SHUFFLED =
      kept(
          IntStream.range(0, OVERLAPPING_FILES)
              .mapToObj(
                  i ->
                      Pass.shuffled(
                          i * Pass.ALL.to() / OVERLAPPING_FILES,
                          (i + 1) * Pass.ALL.to() / OVERLAPPING_FILES))
              .toList());

  /** In key order; then a fifth of the rows get a column that no index knows. */
  static final Load UPDATED_OTHER =
      kept(List.of(Pass.ALL, Pass.update(UPDATED_PERCENT, PutMaker.NOTE)));

  /** In key order; then a fifth of the rows get another price. */
  static final Load UPDATED_INDEXED =
      kept(List.of(Pass.ALL, Pass.update(UPDATED_PERCENT, PutMaker.OTHER_PRICE)));

  /**
   * Shuffled, in five HFiles a region. A fifth of the rows get another price: three quarters of
   * these before the last flush. A tenth of the rows are in memstores: half of them nowhere else,
   * half with another price.
   */
  static final Load MIXED =
      kept(
          List.of(
              Pass.shuffled(5, 24),
              Pass.shuffled(24, 43),
              Pass.shuffled(43, 62),
              Pass.shuffled(62, 81),
              Pass.otherPrice(5, 20),
              Pass.shuffled(81, 100),
              Pass.shuffled(0, 5).inMemstores(),
              Pass.otherPrice(20, 25)));

  /** Some of the rows are in memstores, and nowhere else. */
  static Load memstore(int percent) {
    return kept(List.of(Pass.flushed(percent), Pass.unflushed(percent)));
  }

  private static Load kept(List<Pass> passes) {
    return new Load(passes, OptionalInt.empty(), Kind.KEPT);
  }

  boolean kept() {
    return kind == Kind.KEPT;
  }

  /** An empty table for it. */
  TableDescriptor descriptor(TableName name) {
    return switch (kind) {
      case DEFAULTS, LARGE -> OrdersTable.descriptor(name);
      case KEPT -> OrdersTable.keptDescriptor(name);
      case ENCODED -> OrdersTable.encodedDescriptor(name);
    };
  }

  /**
   * How many rows are loaded.
   *
   * @param wanted of other kinds
   */
  long rows(long wanted) {
    return kind == Kind.LARGE ? wanted * LARGE_ROWS / OTHER_ROWS : wanted;
  }

  /** How many passes end with a flush, each of which makes an HFile in every region. */
  int flushes() {
    return (int) passes.stream().filter(Pass::flushed).count();
  }
}
