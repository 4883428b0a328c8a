package io.spyhop.client.internal.global;

import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;

/**
 * Finds the first rows in the order of a column's values in a global index of that column, whose
 * entries come in that order. Thread-safe.
 *
 * <p>Nothing is handed out before all of it is known: the rows behind entries are read as they are
 * then, and those count whose value's entries have all been read. So a row that moves meanwhile is
 * at one of its places, or at the one it had when its page was read (correctness rules 8 and 10).
 */
public final class OrderedSearch {
  private final IndexCalls calls;
  private final IndexAttempts attempts;
  private final EntryCosts costs;
  private final Duration limit;

  /**
   * @param conf the connection's, which need not know the servers' settings
   */
  public OrderedSearch(IndexCalls calls, IndexAttempts attempts, Configuration conf) {
    this.calls = calls;
    this.attempts = attempts;
    this.costs = EntryCosts.of(conf);
    this.limit = GlobalSearch.timeLimit(conf);
  }

  /**
   * A search for the first rows in an order.
   *
   * @param query with a limit
   * @param order of the rows
   * @param plain what they cost without
   * @param shown whether the caller gets anything of a row
   * @param bytes that rows may take at most until there are enough
   * @param byStoredRow whether rows of one value are wanted by their stored keys, as an index has
   *     them; those of a bucketed table are not
   */
  public record Request(
      EntryQuery query,
      ValueOrder order,
      PlainCost plain,
      Predicate<Result> shown,
      long bytes,
      boolean byStoredRow) {
    /** The indexes that know the order; often none. */
    public List<IndexDefinition> drivers() {
      return query.drivers().stream()
          .filter(d -> d.column().equals(order.column().name()))
          .toList();
    }
  }

  /** Reads the rows behind entries. */
  @FunctionalInterface
  public interface Rows {
    /** Those that match, with the column that orders them. */
    Candidates of(Found found) throws IOException;
  }

  /**
   * The result of a search.
   *
   * @param rows the first ones and perhaps more, in no order; empty if they must be found in
   *     another way
   * @param index that was read
   * @param entries of it that were read
   * @param rowsRead how many rows were read by key
   * @param reason why not, if there are no rows
   */
  public record Answer(
      Optional<List<Result>> rows, String index, long entries, long rowsRead, String reason) {}

  /** What a way costs at least that has a limit, in cells that a plain scan reads. */
  public double leastCells(long rows) {
    return (3 * costs.call() + rows * (costs.entry() + costs.get())) / costs.cell();
  }

  /** What it costs to ask regions for their first rows, in cells that a plain scan reads. */
  public double cellsOfRegions(int regions, double each, int threads) {
    return regions * (costs.call() / costs.cell() + each) / Math.min(threads, regions);
  }

  /**
   * Searches in each index that knows the order, until one has the rows.
   *
   * @throws IOException only if the thread was interrupted
   */
  public Answer search(Request request, Rows rows) throws IOException {
    List<String> reasons = new ArrayList<>();
    for (IndexDefinition index : request.drivers()) {
      OrderedReading reading = new OrderedReading(calls, attempts, index, request, rows);
      Optional<String> why = reading.read(costs, limit);
      if (why.isEmpty()) {
        return new Answer(
            Optional.of(reading.settled()),
            index.name(),
            reading.entries(),
            reading.rowsRead(),
            "");
      }
      reasons.add("global index '" + index.name() + "' " + why.get());
    }
    return new Answer(Optional.empty(), "", 0, 0, String.join("; ", reasons));
  }
}
