package io.spyhop.bench.costs;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.RegionPlan;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Measures the constants of the planner's cost model, each by queries that do little else, as the
 * region's own report says how long they took: medians, after a warm-up, blocks in the cache.
 */
public final class CostsBench implements Closeable {
  private static final int FILES = 5;
  private static final int WARMUPS = 3;
  private static final int SHARE_OF_RECORDS = 4;
  private static final int SHARE_OF_REREADS = 50;

  /** No row has it. */
  private static final String NOTHING = "n = -1";

  private final Spyhop spyhop;
  private final CostsTable one;
  private final CostsTable many;
  private final long rows;
  private final int rounds;

  /**
   * Two tables of so many rows, one in one HFile and one in several.
   *
   * @param rounds of which the median is taken
   */
  public CostsBench(Connection connection, long rows, int rounds) {
    this.spyhop = Spyhop.connect(connection);
    this.one = new CostsTable(connection, "costs_one", rows);
    this.many = new CostsTable(connection, "costs_many", rows);
    this.rows = rows;
    this.rounds = rounds;
  }

  /** Loads and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    one.load(spyhop, 1, progress);
    many.load(spyhop, FILES, progress);
    double cell = median(one, scan(), p -> nanos(p) / p.scanCells());
    double setup = median(one, index(NOTHING, "d"), CostsBench::nanos);
    double record = perRecord(one, setup);
    double setupOfMany = median(many, index(NOTHING, "d"), CostsBench::nanos);
    double probe = (perRecord(many, setupOfMany) - record) / (FILES - 1);
    double reread =
        median(
            one,
            index("n < " + Math.max(1, rows / SHARE_OF_REREADS), "d", "e"),
            p -> (nanos(p) - setup) / Math.max(1, p.actual().orElseThrow().rereads()) - record);
    return Row.of("rows", rows)
        .and("cell", Numbers.rounded(cell))
        .and("record", Numbers.rounded(record))
        .and("probe", Numbers.rounded(probe))
        .and("reread", Numbers.rounded(reread))
        .and("setup", Numbers.rounded(setup));
  }

  private double perRecord(CostsTable table, double setup) throws IOException {
    String where =
        "n < " + Math.max(1, rows / SHARE_OF_RECORDS) + " AND CAST(d:o1 AS STRING) = 'x'";
    return median(
        table,
        index(where, "d"),
        p -> (nanos(p) - setup) / Math.max(1, p.actual().orElseThrow().records()));
  }

  private static Query scan() {
    return Query.where(NOTHING).select("d").hint("scan").pruning(false);
  }

  private static Query index(String where, String... families) {
    return Query.where(where).select(families).hint("n").pruning(false);
  }

  private static double nanos(RegionPlan plan) {
    return plan.actual().orElseThrow().nanos();
  }

  private double median(CostsTable name, Query query, ToDoubleFunction<RegionPlan> figure)
      throws IOException {
    IndexedTable table = spyhop.table(name.name());
    List<Double> figures = new ArrayList<>();
    for (int i = 0; i < WARMUPS + rounds; i++) {
      RegionPlan plan = table.explainAnalyze(query).regions().get(0);
      if (i >= WARMUPS) {
        figures.add(figure.applyAsDouble(plan));
      }
    }
    return Numbers.median(figures);
  }

  @Override
  public void close() {
    spyhop.close();
  }
}
