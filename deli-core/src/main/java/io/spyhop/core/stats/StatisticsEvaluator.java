package io.spyhop.core.stats;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import java.util.function.Function;

/** Evaluates predicates on statistics instead of rows. Stateless. */
public final class StatisticsEvaluator {
  /** Some row behind the statistics may make the predicate true. */
  public static final boolean ROWS_MIGHT_MATCH = true;

  /** No row behind the statistics makes the predicate true. */
  public static final boolean ROWS_CANNOT_MATCH = false;

  private StatisticsEvaluator() {}

  /**
   * Whether rows behind the statistics may match.
   *
   * @param statistics what is known of a column over <em>all</em> sources of the rows together
   *     (evaluated source by source, rows would be lost whose columns lie in different sources), or
   *     null where nothing is known
   * @return {@link #ROWS_CANNOT_MATCH} only if no row can match, whatever is not known
   */
  public static boolean evaluate(
      BoundPredicate predicate, Function<BoundColumn, ColumnStatistics> statistics) {
    return predicate.mightMatch(
            (column, keys, whenAbsent, whenUndecodable) ->
                mightMatch(statistics.apply(column), keys, whenAbsent, whenUndecodable))
        ? ROWS_MIGHT_MATCH
        : ROWS_CANNOT_MATCH;
  }

  /** IS NULL never prunes: a deleted or expired cell makes a null that no statistic shows. */
  private static boolean mightMatch(
      ColumnStatistics s, KeyRanges keys, boolean whenAbsent, boolean whenUndecodable) {
    return s == null || whenAbsent || whenUndecodable && s.undecodable() > 0 || s.mayContain(keys);
  }
}
