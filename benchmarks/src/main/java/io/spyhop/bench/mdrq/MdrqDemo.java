package io.spyhop.bench.mdrq;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersLoader;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.QueryPlan;
import io.spyhop.core.io.Interruption;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * The demonstration, step by step: {@link #load}, {@link #index}, {@link #ask}, {@link #change},
 * {@link #ask}, {@link #compact} and {@link #ask} again. The plain side is a scan of the same table
 * that is told not to use the index.
 */
public final class MdrqDemo implements Closeable {
  /** The table that is made. */
  public static final TableName TABLE = TableName.valueOf("orders");

  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);
  private static final int MUTATIONS_AT_ONCE = 1_000;
  private static final int WARM_UPS = 2;

  private final Connection connection;
  private final long rows;
  private final int regions;
  private final Asker asker;
  private final Trial trial;
  private final List<Difference> differences = new ArrayList<>();

  /**
   * @param connection to an HBase with Spyhop that has no table of that name; stays open
   * @param rows orders to load
   * @param regions regions of the table
   * @param trial how often each query is asked both ways, in turns
   */
  public MdrqDemo(Connection connection, long rows, int regions, Trial trial) {
    this.connection = connection;
    this.rows = rows;
    this.regions = regions;
    this.trial = trial;
    this.asker = new Asker(connection, TABLE);
  }

  /**
   * Makes the table with its indexes and loads it.
   *
   * @return how long the loading alone took
   */
  public Duration load(Progress.Factory progress) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(OrdersTable.descriptor(TABLE), OrdersTable.splits(rows, regions));
    }
    asker.admin().createIndexes(TABLE, OrdersTable.indexes());
    try (Progress shown = progress.start("Loading orders", rows);
        OrdersLoader loader = new OrdersLoader(connection, System.currentTimeMillis())) {
      return loader.load(TABLE, new OrderStream(rows), shown);
    }
  }

  /**
   * Flushes the memstores and waits until all HFiles are indexed.
   *
   * @return how long that took
   */
  public Duration index() throws IOException {
    long start = System.nanoTime();
    Tables.flush(connection, TABLE);
    asker.admin().waitUntilActive(TABLE, INDEX_LIMIT);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /**
   * Flushes the memstores, has the HFiles of each region compacted to one, as HBase does by itself
   * in time, and waits until these are indexed.
   *
   * @return how long that took
   */
  public Duration compact() throws IOException {
    long start = System.nanoTime();
    Tables.flush(connection, TABLE);
    Compaction.runIfNeeded(connection, TABLE);
    asker.admin().waitUntilActive(TABLE, INDEX_LIMIT);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Asks the five queries both ways, some times that do not count: a JVM is slow at first. */
  public void warmUp(Progress.Factory progress) throws IOException {
    try (Progress shown = progress.start("Warming up", (long) WARM_UPS * MdrqQuery.ALL.size())) {
      for (int i = 0; i < WARM_UPS; i++) {
        for (MdrqQuery query : MdrqQuery.ALL) {
          asker.predicateScan(TABLE, query).ask();
          asker.spyhop(query).ask();
          shown.step(1);
        }
      }
    }
  }

  /** Asks the five queries both ways. */
  public List<Row> ask(Progress.Factory progress) throws IOException {
    List<Row> reports = new ArrayList<>();
    try (Progress shown = progress.start("Asking", MdrqQuery.ALL.size())) {
      for (MdrqQuery query : MdrqQuery.ALL) {
        reports.add(ask(query));
        shown.step(1);
      }
    }
    return reports;
  }

  private Row ask(MdrqQuery query) throws IOException {
    Side plain = asker.predicateScan(TABLE, query);
    Side indexed = asker.spyhop(query);
    List<Result> expected = plain.ask();
    Optional<String> difference = Answers.difference(expected, indexed.ask());
    difference.ifPresent(d -> differences.add(new Difference(query.name(), d)));
    int found = expected.size();
    List<Cost> costs =
        difference.isPresent()
            ? List.of(Cost.NONE, Cost.NONE)
            : trial.costs(found, List.of(plain, indexed));
    double plainMillis = costs.get(0).millis();
    double indexedMillis = costs.get(1).millis();
    QueryPlan plan = asker.explain(query);
    return Row.of("name", query.name())
        .and("rows", found)
        .and("plain_ms", Numbers.rounded(plainMillis))
        .and("spyhop_ms", Numbers.rounded(indexedMillis))
        .and("ratio", Numbers.ratio(plainMillis, indexedMillis))
        .and("driving", plan.driving())
        .and("records_read", plan.recordsRead())
        .and("equal", difference.isEmpty());
  }

  /**
   * Updates, deletes and adds rows; half of the changes are flushed, the others stay in the
   * memstores.
   *
   * @return what was done, one sentence each
   */
  public List<String> change() throws IOException {
    OrderChanges changes =
        OrderChanges.of(rows, asker.predicateScan(TABLE, MdrqQuery.SCAN_A).ask());
    apply(changes.half(0));
    index();
    apply(changes.half(1));
    return changes.sentences();
  }

  private void apply(List<Mutation> mutations) throws IOException {
    try (Table orders = connection.getTable(TABLE)) {
      for (int from = 0; from < mutations.size(); from += MUTATIONS_AT_ONCE) {
        int to = Math.min(mutations.size(), from + MUTATIONS_AT_ONCE);
        orders.batch(mutations.subList(from, to), new Object[to - from]);
      }
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while changing orders", e);
    }
  }

  /** The queries whose answers differed so far. */
  public List<Difference> differences() {
    return List.copyOf(differences);
  }

  @Override
  public void close() {
    asker.close();
  }
}
