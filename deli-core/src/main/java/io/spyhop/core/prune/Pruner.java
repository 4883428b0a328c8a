package io.spyhop.core.prune;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.SourceSummary;
import java.util.Collection;

/**
 * Decides what a query reads of a region (paper, table 1 and algorithm 1). Stateless.
 *
 * <p>Unlike the paper's algorithm it does not ask of HFiles and memstore separately whether the
 * whole predicate may hold in them, but of each condition whether it may hold in both together. A
 * row whose matching cells lie partly in an HFile and partly in the memstore would be lost
 * otherwise: the paper's case (4) is wrong where a write may set some columns of a row only.
 */
public final class Pruner {
  private static final Decision NOTHING = new Decision(ScanState.NR, "no row can match");
  private static final Decision FILES =
      new Decision(ScanState.RS, "rows may match, the memstore is empty");
  private static final Decision ALL = new Decision(ScanState.RSM, "rows may match");

  private Pruner() {}

  /**
   * Decides.
   *
   * @param families what the query selects
   * @param summary as fresh as the query's consistency level asks for
   */
  public static Decision decide(
      BoundPredicate predicate, Collection<byte[]> families, CompactSummary summary) {
    if (!summary.isKnown()) {
      return new Decision(ScanState.RSM, "not known: " + summary.unknown());
    }
    if (!summary.mightMatch(predicate)) {
      return NOTHING;
    }
    return summary.isMemstoreEmpty(families) ? FILES : ALL;
  }

  /**
   * Whether some row may match.
   *
   * @param all every source together that holds cells of the rows
   * @param nullsTold as {@link io.spyhop.core.stats.RegionSummary#nullsTold}
   */
  public static boolean mightMatch(BoundPredicate predicate, SourceSummary all, boolean nullsTold) {
    boolean hidden = !nullsTold || all.deletes() || all.cellTtl();
    return predicate.mightMatch(
        (column, keys, whenAbsent, whenUndecodable) ->
            whenAbsent && hidden || might(all, column, keys, whenAbsent, whenUndecodable));
  }

  private static boolean might(
      SourceSummary all,
      BoundColumn column,
      KeyRanges keys,
      boolean whenAbsent,
      boolean whenUndecodable) {
    ColumnSummary c = all.columns().get(column.name());
    return c == null || c.type() != column.type() || c.might(keys, whenAbsent, whenUndecodable);
  }
}
