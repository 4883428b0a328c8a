package io.spyhop.server.query.plan;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Estimate;
import io.spyhop.core.protocol.RegionPlan.Path;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnCounts;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses how a region answers: for every index that can drive the query it adds up the records in
 * range from the SFiles, what is not covered, and the memstore; the cheapest wins, the plain scan
 * included (LCIndex, Algorithm 2). Stateless; thread-safe.
 *
 * <p>A plan is a choice among right answers; figures that are out of date make it slower, never
 * wrong.
 */
public final class QueryPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(QueryPlanner.class);

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
   * An index that can drive the query.
   *
   * @param entries how many records it has
   * @param share of its records that are in range
   * @param rereads how many rows must be read again, if all are asked for
   * @param uncovered cells that are looked at one by one
   * @param inMemory cells of rows in range that the memstore's index finds
   * @param whole the cost if nothing that is found is in the answer, because of other conditions
   */
  private record Option(
      IndexDefinition index,
      Estimate estimate,
      long entries,
      double share,
      long rereads,
      long uncovered,
      long inMemory,
      double cost,
      double whole) {}

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
    List<Option> all = options(region, indexes, statistics, question, families);
    double scanCost = costs.scan(extent.cells() + extent.memstore());
    double matches = Math.max(1, extent.share() * matches(all));
    List<Option> options = all.stream().map(o -> asked(o, extent.share(), matches, limit)).toList();
    double limitedScan = scanCost * Math.min(1, limit / matches);
    Option best = best(options, hint);
    String reason = reason(best, options, hint, limitedScan);
    boolean named = !hint.equals(Attributes.PATH_AUTO);
    boolean index = best != null && (named || best.cost < limitedScan);
    boolean use = index && !hint.equals(Attributes.PATH_SCAN);
    RegionPlan plan =
        new RegionPlan(
            region.getRegionInfo().getEncodedName(),
            server,
            use ? Path.LOCAL_INDEX : Path.SCAN,
            reason,
            use ? best.index.name() : "",
            options.stream().map(Option::estimate).toList(),
            extent.cells(),
            use ? best.estimate.filesCovered() : 0,
            use ? best.estimate.filesMissing() : 0,
            extent.memstore(),
            Optional.empty());
    long most = best == null ? Long.MAX_VALUE : needed(best, extent.share(), matches, limit);
    if (use) {
      return new Choice(
          plan, Optional.of(best.index), named, scanCost, most, Optional.empty(), Optional.empty());
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
    List<Option> all = options(region, indexes, statistics, question, families);
    Optional<Option> found =
        all.stream().filter(o -> o.index.column().equals(column.name())).findFirst();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Option o = found.get();
    double matches = Math.max(1, extent.share() * matches(all));
    double sorted =
        all.stream().mapToDouble(Option::cost).min().orElseThrow() + matches * costs.reread();
    double fixed =
        isColumnar(o)
            ? costs.columns(o.entries, 0, 0, o.uncovered + o.inMemory)
            : costs.index(0, 0, 0, o.uncovered);
    double ordered = fixed + Math.min(1, limit / matches) * (o.cost - fixed);
    RegionPlan plan =
        new RegionPlan(
            region.getRegionInfo().getEncodedName(),
            server,
            Path.LOCAL_INDEX,
            "in the order of " + column.name(),
            o.index.name(),
            all.stream().map(Option::estimate).toList(),
            extent.cells(),
            o.estimate.filesCovered(),
            o.estimate.filesMissing(),
            extent.memstore(),
            Optional.empty());
    double scan = costs.scan(extent.cells() + extent.memstore());
    boolean dearer =
        limit < Long.MAX_VALUE && ordered > Math.min(sorted, scan + matches * costs.reread());
    return Optional.of(new Ordering(plan, o.index, dearer, scan));
  }

  private List<Option> options(
      HRegion region,
      RegionIndexes indexes,
      RegionStatistics statistics,
      ScanPredicate question,
      Collection<byte[]> families) {
    List<Option> all = new ArrayList<>();
    for (IndexDefinition d : indexes.schema().indexes()) {
      boolean decided = counting || families.size() == 1;
      option(region, indexes, statistics, question, d, decided).ifPresent(all::add);
    }
    return all.stream().map(o -> isColumnar(o) ? narrowed(o, all) : o).toList();
  }

  private static boolean isColumnar(Option o) {
    return o.index.local().layout() == Layout.COLUMNAR;
  }

  /**
   * Columnar indexes of the family narrow together, but not rows that are read again; columns are
   * taken for independent.
   */
  private Option narrowed(Option o, List<Option> all) {
    double share =
        all.stream()
            .filter(p -> !p.index.equals(o.index) && isColumnar(p))
            .filter(p -> Arrays.equals(p.index.column().family(), o.index.column().family()))
            .mapToDouble(Option::share)
            .reduce(1, (a, b) -> a * b);
    long fetched = (long) Math.ceil(o.estimate.records() * share) + o.rereads;
    long inMemory = (long) Math.ceil(o.inMemory * share);
    double cost = costs.columns(o.entries, fetched, o.rereads, o.uncovered + inMemory);
    Estimate e = o.estimate;
    return new Option(
        o.index,
        new Estimate(e.index(), fetched, e.filesCovered(), e.filesMissing()),
        o.entries,
        o.share,
        o.rereads,
        o.uncovered,
        inMemory,
        cost,
        cost);
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
      Option best, double scanCost, double limitedScan, ScanExtent extent) {
    if (best == null) {
      return Optional.empty();
    }
    double most = Math.max(best.whole / 2, Math.min(best.whole, 2 * limitedScan));
    double all = extent.rows() > 0 ? extent.rows() : extent.share() * best.entries;
    return most < scanCost
        ? Optional.of(new Patience(best.index, (long) (all * most / scanCost)))
        : Optional.empty();
  }

  /**
   * About how many rows match, over 0: columns are taken for independent, so where they are not
   * there are more, and a scan finds enough of them sooner.
   */
  private static double matches(List<Option> options) {
    double rows = 0;
    double share = 1;
    for (Option o : options) {
      rows = Math.max(rows, o.share == 0 ? 0 : (double) o.entries);
      share *= o.share;
    }
    return Math.max(1, rows * share);
  }

  /**
   * Rows that are not in the range are not read again, nor, where some are asked for, more than it
   * takes to find them. In the order of rows none of that is looked at, either.
   */
  private Option asked(Option o, double share, double matches, long limit) {
    long inRange = (long) Math.ceil(share * o.rereads);
    long needed = needed(o, share, matches, limit);
    long rereads = Math.min(inRange, needed);
    double whole = o.cost - costs.reread() * (o.rereads - rereads);
    double cost = isColumnar(o) ? columns(o, share, needed, rereads) : whole;
    return new Option(
        o.index, o.estimate, o.entries, o.share, rereads, o.uncovered, o.inMemory, cost, whole);
  }

  /** Memstores and what is not covered are looked at first, and a block is at once. */
  private double columns(Option o, double share, long needed, long rereads) {
    double found = share * o.estimate.records();
    double part = found <= needed ? 1 : needed / found;
    double rows =
        part * share * o.entries + (double) o.estimate.filesCovered() * ColumnBlock.MAX_ROWS;
    return costs.columns(
        (long) Math.min((double) o.entries, rows),
        (long) Math.ceil(part * found),
        rereads,
        o.uncovered + o.inMemory);
  }

  private static long needed(Option o, double share, double matches, long limit) {
    return (long) Math.ceil(limit * Math.max(1, share * o.estimate.records() / matches));
  }

  private static Fallback fallback(Option best, String hint) {
    if (hint.equals(Attributes.PATH_SCAN)) {
      return Fallback.ASKED_FOR;
    }
    return best == null ? Fallback.NO_INDEX : Fallback.SCAN_CHEAPER;
  }

  private static String reason(Option best, List<Option> options, String hint, double scanCost) {
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
    return best.cost < scanCost ? "fewest records" : "a scan is cheaper";
  }

  /** Cuts a long hint: any client may send one, and reports of the scan keep it. */
  static String shown(String hint) {
    return hint.length() <= IndexDefinition.MAX_NAME
        ? hint
        : hint.substring(0, IndexDefinition.MAX_NAME) + "... (" + hint.length() + " characters)";
  }

  private static Option best(List<Option> options, String hint) {
    boolean named =
        !hint.equals(Attributes.PATH_AUTO)
            && !hint.equals(Attributes.PATH_INDEX)
            && !hint.equals(Attributes.PATH_SCAN);
    Option best = null;
    for (Option o : options) {
      boolean allowed = !named || o.index.name().equals(hint);
      if (allowed && (best == null || o.cost < best.cost)) {
        best = o;
      }
    }
    return best;
  }

  /**
   * @param decided whether a record can stand for all that is selected
   */
  private Optional<Option> option(
      HRegion region,
      RegionIndexes indexes,
      RegionStatistics statistics,
      ScanPredicate question,
      IndexDefinition d,
      boolean decided) {
    HStore store = region.getStore(d.column().family());
    if (store == null || store.getColumnFamilyDescriptor().isMobEnabled()) {
      return Optional.empty();
    }
    return question
        .keys(d)
        .map(
            ranges -> {
              MemstoreEstimate memstore = MemstoreEstimate.of(store, statistics, d, ranges);
              return option(store, indexes, memstore, question, ranges, d, decided);
            });
  }

  private Option option(
      HStore store,
      RegionIndexes indexes,
      MemstoreEstimate memstore,
      ScanPredicate question,
      KeyRanges ranges,
      IndexDefinition d,
      boolean decided) {
    long records = memstore.found();
    long entries = memstore.writes();
    double complex = 0;
    long uncovered = memstore.uncovered();
    int covered = 0;
    int missing = 0;
    for (HStoreFile f : store.getStorefiles()) {
      IndexFile index =
          indexes.usable(f.getPath().getName(), d).filter(question::isCoveredBy).orElse(null);
      if (index == null) {
        missing++;
        uncovered += entries(f);
      } else {
        covered++;
        long inRange = inRange(store, index, ranges);
        records += inRange;
        entries += index.counts().entries();
        complex += question.secured() ? inRange : inRange * shareOfComplex(index, indexes);
      }
    }
    if (!decided || !question.predicate().columns().stream().allMatch(c -> d.stores(c.name()))) {
      complex = records;
    }
    Estimate estimate = new Estimate(d.name(), records, covered, missing);
    double cost = costs.index(records, (long) complex, covered + missing, uncovered);
    double share = entries == 0 ? 0 : Math.min(1, (double) records / entries);
    return new Option(
        d, estimate, entries, share, (long) complex, uncovered, memstore.foundCells(), cost, cost);
  }

  /** Of a file that was dropped meanwhile, all. */
  private static long inRange(HStore store, IndexFile index, KeyRanges ranges) {
    if (!index.retain()) {
      return index.counts().entries();
    }
    try {
      return index.estimate(ranges, store.getCacheConfig(), store.getReadOnlyConfiguration());
    } finally {
      release(index);
    }
  }

  private static void release(IndexFile index) {
    try {
      index.release();
    } catch (IOException e) {
      LOG.warn("Releasing the index files {} failed; the sweep will delete them", index, e);
    }
  }

  /** The part of an index's records that cannot stand for their rows, as far as is known. */
  private static double shareOfComplex(IndexFile index, RegionIndexes indexes) {
    ColumnCounts counts = index.counts();
    double complex = (double) counts.complexEntries() / Math.max(1, counts.entries());
    double rows = Math.max(1, counts.rows());
    return Math.min(1, complex + indexes.pairs().of(index.hfile()).count() / rows);
  }

  private static long entries(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? 0 : reader.getEntries();
  }

  /** Whether reading that many rows again costs more than the plain scan. */
  public boolean isWorseThanScan(long rereads, double scanCost) {
    return rereads * costs.reread() > scanCost;
  }
}
