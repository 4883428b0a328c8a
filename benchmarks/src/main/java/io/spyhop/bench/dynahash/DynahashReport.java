package io.spyhop.bench.dynahash;

import java.util.List;

/**
 * What bucketed tables cost, and what rebalances of them move.
 *
 * @param settings what was asked for
 * @param rebalance servers that go and come
 * @param overhead a bucketed table against a plain one
 * @param under_load rebalances beside writers and queries
 * @param split how long splits keep clients waiting
 */
@SuppressWarnings("checkstyle:RecordComponentName")
public record DynahashReport(
    Settings settings,
    List<Rebalance> rebalance,
    List<Overhead> overhead,
    List<UnderLoad> under_load,
    List<Split> split) {
  /** Schemes: few buckets, many from the start, and all rows hashed anew. */
  public static final String DYNAHASH = "dynahash";

  public static final String STATIC = "static";

  public static final String REHASH = "rehash";

  /** Changes: a server gives all away, or one that has nothing gets its share. */
  public static final String REMOVE = "remove";

  public static final String ADD = "add";

  /**
   * What was asked for.
   *
   * @param rows of each table
   * @param repetitions rebalances of each kind
   * @param servers region servers at first
   * @param buckets of a table of the scheme {@code dynahash}
   * @param static_buckets of one of the scheme {@code static}
   * @param pause_seconds between two buckets beside writers and queries; there is none otherwise
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Settings(
      int rows,
      int repetitions,
      int servers,
      int buckets,
      int static_buckets,
      long pause_seconds) {}

  /** Whether all answers were those that the rows give. */
  public boolean allEqual() {
    return rebalance.stream().allMatch(Rebalance::equal)
        && overhead.stream().allMatch(Overhead::equal)
        && under_load.stream().allMatch(UnderLoad::equal)
        && split.stream().allMatch(Split::equal);
  }

  /**
   * One change under one scheme.
   *
   * @param scheme {@code dynahash}, {@code static} or {@code rehash}
   * @param change {@code add} or {@code remove}
   * @param seconds from the request until all buckets are where they should be and each HFile there
   *     has its index; a median
   * @param bytes_moved bytes of index files that were shipped; of {@code rehash} those of the new
   *     table's HFiles and index files. As least_bytes of the repetition that moved most beyond it
   * @param least_bytes what any scheme must move, see {@link LeastMoves}
   * @param balance normalised size of the server that has most, over the mean, afterwards; the
   *     worst
   * @param missing_index_files HFiles without their index when the master had done the last move;
   *     the worst
   * @param buckets_moved how many buckets changed their server; of {@code rehash} 0
   * @param blocked_ms the longest time for which writes of one bucket were held up, as the master
   *     noted it; of {@code rehash} 0, as nothing is written there meanwhile
   * @param equal whether a scan and an indexed query had the right rows afterwards
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Rebalance(
      String scheme,
      String change,
      double seconds,
      long bytes_moved,
      long least_bytes,
      double balance,
      long missing_index_files,
      int buckets_moved,
      long blocked_ms,
      boolean equal) {}

  /**
   * One kind of work.
   *
   * @param plain median milliseconds in a table without buckets
   * @param bucketed the same in a bucketed table
   * @param ratio bucketed over plain
   * @param equal whether both had the right rows
   */
  public record Overhead(String work, double plain, double bucketed, double ratio, boolean equal) {}

  /**
   * Rebalances beside writers and queries.
   *
   * @param write_share of the rows a second that can be written at most
   * @param seconds as of {@link Rebalance}
   * @param rows_per_s that were written during rebalances
   * @param queries that were answered during rebalances
   * @param equal whether each query had the right rows, and the table all that were written
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record UnderLoad(
      double write_share,
      double seconds,
      double query_p99_before_ms,
      double query_p99_during_ms,
      double query_p99_after_ms,
      double rows_per_s,
      long queries,
      boolean equal) {}

  /**
   * Splits of tables of one region.
   *
   * @param table {@code bucketed}, {@code plain, indexed} or {@code plain}
   * @param write_ms the longest put from the request of the split on; a median
   * @param read_ms the longest get; a median
   * @param longest_write_ms the longest put of all splits
   * @param equal whether each get found its row
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Split(
      String table, double write_ms, double read_ms, double longest_write_ms, boolean equal) {}
}
