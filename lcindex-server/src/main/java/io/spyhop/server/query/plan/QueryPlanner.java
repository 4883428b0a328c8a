package io.spyhop.server.query.plan;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Path;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Chooses how a region answers: for every index that can drive the query it adds up the records in
 * range from the SFiles, what is not covered, and the memstore; the cheapest wins, the plain scan
 * included (LCIndex, Algorithm 2). Stateless; thread-safe.
 *
 * <p>A plan is a choice among right answers; figures that are out of date make it slower, never
 * wrong.
 */
public final class QueryPlanner {
  private final CostModel costs;
  private final boolean counting;

  /** A planner with these costs. */
  public QueryPlanner(CostModel costs) {
    this(costs, /* counting= */ false);
  }

  private QueryPlanner(CostModel costs, boolean counting) {
    this.costs = costs;
    this.counting = counting;
  }

  /** The same for aggregates of which columns tell all that is asked. */
  public QueryPlanner counting() {
    return new QueryPlanner(costs.counting(), /* counting= */ true);
  }

  /**
   * A choice with its explanation.
   *
   * @param driving the index to use
   * @param named whether the query asks for its way
   * @param scanCost what the plain scan would cost
   * @param mostRereads how many rows may have to be read again to find those that are asked for
   * @param fallback why no index is used, if none is
   * @param patience how long the plain scan may take, if an index would be the next best
   */
  public record Choice(
      RegionPlan plan,
      Optional<IndexDefinition> driving,
      boolean named,
      double scanCost,
      long mostRereads,
      Optional<Fallback> fallback,
      Optional<Patience> patience) {}

  /**
   * A scan that finds the rows that are asked for soon is cheaper than an index; where matching
   * rows lie together, and far from where it begins, it does not.
   *
   * @param index the index to use then
   * @param rows after how many
   */
  public record Patience(IndexDefinition index, long rows) {}

  /**
   * Chooses for a query whose scan is supported.
   *
   * @param statistics which know the memstores' indexes
   * @param rows the range that is scanned
   * @param limit how many rows of the whole answer are asked for
   */
  public Choice choose(
      HRegion region,
      String server,
      RegionIndexes indexes,
      RegionStatistics statistics,
      ScanPredicate question,
      Collection<byte[]> families,
      RowSpan rows,
      String hint,
      long limit) {
    ScanExtent extent = ScanExtent.of(region, families, rows);
    List<IndexOption> all =
        new OptionFinder(costs, counting, region, indexes, statistics, question).find(families);
    double scanCost = costs.scan(extent.cells() + extent.memstore());
    double matches = Math.max(1, extent.share() * IndexOption.matches(all));
    List<IndexOption> options =
        all.stream().map(o -> o.asked(extent.share(), matches, limit, costs)).toList();
    double limitedScan = scanCost * Math.min(1, limit / matches);
    IndexOption best = best(options, hint);
    String reason = reason(best, options, hint, limitedScan);
    boolean named = !hint.equals(Attributes.PATH_AUTO);
    boolean index = best != null && (named || best.cost() < limitedScan);
    boolean use = index && !hint.equals(Attributes.PATH_SCAN);
    RegionPlan plan =
        new RegionPlan(
            region.getRegionInfo().getEncodedName(),
            server,
            use ? Path.LOCAL_INDEX : Path.SCAN,
            reason,
            use ? best.index().name() : "",
            options.stream().map(IndexOption::estimate).toList(),
            extent.cells(),
            use ? best.estimate().filesCovered() : 0,
            use ? best.estimate().filesMissing() : 0,
            extent.memstore(),
            Optional.empty());
    long most = best == null ? Long.MAX_VALUE : best.needed(extent.share(), matches, limit);
    if (use) {
      return new Choice(
          plan,
          Optional.of(best.index()),
          named,
          scanCost,
          most,
          Optional.empty(),
          Optional.empty());
    }
    return new Choice(
        plan,
        Optional.empty(),
        named,
        scanCost,
        most,
        Optional.of(fallback(best, hint)),
        limit == Long.MAX_VALUE || !hint.equals(Attributes.PATH_AUTO)
            ? Optional.empty()
            : patience(best, scanCost, limitedScan, extent));
  }

  /**
   * The cost of rows in the order of an index.
   *
   * @param plan the region's
   * @param index whose order it is
   * @param dearer whether finding all rows that match and sorting them costs less
   * @param scanCost what the plain scan would cost
   */
  public record Ordering(RegionPlan plan, IndexDefinition index, boolean dearer, double scanCost) {}

  /**
   * Plans for rows in the order of a column's values.
   *
   * @param column of the question
   * @param statistics which know the memstores' indexes
   * @param rows the range that is scanned
   * @param limit how many rows of the whole answer are asked for
   * @return empty if the column has no index here that can drive the question
   */
  public Optional<Ordering> order(
      HRegion region,
      String server,
      RegionIndexes indexes,
      RegionStatistics statistics,
      ScanPredicate question,
      BoundColumn column,
      Collection<byte[]> families,
      RowSpan rows,
      long limit) {
    ScanExtent extent = ScanExtent.of(region, families, rows);
    List<IndexOption> all =
        new OptionFinder(costs, counting, region, indexes, statistics, question).find(families);
    Optional<IndexOption> found =
        all.stream().filter(o -> o.index().column().equals(column.name())).findFirst();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    IndexOption o = found.get();
    double matches = Math.max(1, extent.share() * IndexOption.matches(all));
    double sorted =
        all.stream().mapToDouble(IndexOption::cost).min().orElseThrow() + matches * costs.reread();
    double fixed =
        o.isColumnar()
            ? costs.columns(o.entries(), 0, 0, o.uncovered() + o.inMemory())
            : costs.index(0, 0, 0, o.uncovered());
    double ordered = fixed + Math.min(1, limit / matches) * (o.cost() - fixed);
    RegionPlan plan =
        new RegionPlan(
            region.getRegionInfo().getEncodedName(),
            server,
            Path.LOCAL_INDEX,
            "in the order of " + column.name(),
            o.index().name(),
            all.stream().map(IndexOption::estimate).toList(),
            extent.cells(),
            o.estimate().filesCovered(),
            o.estimate().filesMissing(),
            extent.memstore(),
            Optional.empty());
    double scan = costs.scan(extent.cells() + extent.memstore());
    boolean dearer =
        limit < Long.MAX_VALUE && ordered > Math.min(sorted, scan + matches * costs.reread());
    return Optional.of(new Ordering(plan, o.index(), dearer, scan));
  }

  /**
   * A scan that was expected to take less than half of what the index takes is given up after that
   * half, so that both together take one and a half times the index; others get longer, as they may
   * be about to end. Rows are counted, and a row costs what rows of the region cost on the average,
   * whatever of it is deleted, old or not selected.
   *
   * @param extent where it knows no rows the index says
   */
  private static Optional<Patience> patience(
      IndexOption best, double scanCost, double limitedScan, ScanExtent extent) {
    if (best == null) {
      return Optional.empty();
    }
    double most = Math.max(best.whole() / 2, Math.min(best.whole(), 2 * limitedScan));
    double all = extent.rows() > 0 ? extent.rows() : extent.share() * best.entries();
    return most < scanCost
        ? Optional.of(new Patience(best.index(), (long) (all * most / scanCost)))
        : Optional.empty();
  }

  private static Fallback fallback(IndexOption best, String hint) {
    if (hint.equals(Attributes.PATH_SCAN)) {
      return Fallback.ASKED_FOR;
    }
    return best == null ? Fallback.NO_INDEX : Fallback.SCAN_CHEAPER;
  }

  private static String reason(
      IndexOption best, List<IndexOption> options, String hint, double scanCost) {
    if (hint.equals(Attributes.PATH_SCAN)) {
      return "asked for";
    }
    if (best == null) {
      return options.isEmpty()
          ? "no local index can drive the predicate"
          : "no index " + shown(hint);
    }
    if (!hint.equals(Attributes.PATH_AUTO)) {
      return "asked for";
    }
    return best.cost() < scanCost ? "fewest records" : "a scan is cheaper";
  }

  /** Cuts a long hint: any client may send one, and reports of the scan keep it. */
  static String shown(String hint) {
    return hint.length() <= IndexDefinition.MAX_NAME
        ? hint
        : hint.substring(0, IndexDefinition.MAX_NAME) + "... (" + hint.length() + " characters)";
  }

  private static IndexOption best(List<IndexOption> options, String hint) {
    boolean named =
        !hint.equals(Attributes.PATH_AUTO)
            && !hint.equals(Attributes.PATH_INDEX)
            && !hint.equals(Attributes.PATH_SCAN);
    IndexOption best = null;
    for (IndexOption o : options) {
      boolean allowed = !named || o.index().name().equals(hint);
      if (allowed && (best == null || o.cost() < best.cost())) {
        best = o;
      }
    }
    return best;
  }

  /** Whether reading that many rows again costs more than the plain scan. */
  public boolean isWorseThanScan(long rereads, double scanCost) {
    return rereads * costs.reread() > scanCost;
  }
}
