package io.spyhop.server.query.report;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.server.access.Audience;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs queries that took long in one region, and keeps the last of them for who asks. Thread-safe.
 *
 * @param millis how long is long; not logged at all if it is not above 0
 * @param values whether the values that were asked for are shown, which are users' data
 * @param kept where they are kept
 */
public record SlowQueries(long millis, boolean values, SlowQueryLog kept) {
  /** Its name stands in operators' log settings. */
  private static final Logger LOG = LoggerFactory.getLogger("io.spyhop.server.query.SlowQueries");

  private static final int MAX_PREDICATE = 1000;

  /** The same, but never showing values: for tables with encrypted families. */
  public SlowQueries withoutValues() {
    return new SlowQueries(millis, false, kept);
  }

  /** Looks at a query that has ended. */
  public void look(HRegion region, BoundPredicate predicate, RegionPlan ended) {
    String table = region.getTableDescriptor().getTableName().getNameAsString();
    Optional<String> described = describe(table, predicate, ended);
    if (described.isPresent()) {
      LOG.warn("Slow query: {}", described.get());
      long now = EnvironmentEdgeManager.currentTime();
      kept.add(new SlowQuery(now, table, text(predicate), ended), Audience.of(region));
    }
  }

  private String text(BoundPredicate predicate) {
    return cut(values ? predicate.toString() : predicate.shape());
  }

  /** What to log; empty if it was not slow. */
  Optional<String> describe(String table, BoundPredicate predicate, RegionPlan ended) {
    RegionPlan.Actual a = ended.actual().orElseThrow();
    long took = TimeUnit.NANOSECONDS.toMillis(a.nanos());
    if (millis <= 0 || took < millis) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            "%d ms in region %s of table %s, path %s %s (%s%s), rows %d, records %d, uncovered"
                + " cells %d, candidates %d, re-reads %d, predicate %s",
            took,
            ended.region(),
            table,
            ended.path(),
            ended.driving(),
            ended.reason(),
            a.fallback().isEmpty() ? "" : "; fell back: " + a.fallback(),
            a.rows(),
            a.records(),
            a.uncoveredCells(),
            a.candidates(),
            a.rereads(),
            text(predicate)));
  }

  private static String cut(String text) {
    return text.length() <= MAX_PREDICATE ? text : text.substring(0, MAX_PREDICATE) + "...";
  }
}
