package io.spyhop.client;

import io.spyhop.client.plan.PlanTable;
import io.spyhop.core.region.RegionPlan;
import io.spyhop.core.region.RegionPlan.Actual;
import io.spyhop.core.region.RegionPlan.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * How a query runs, or ran, region by region. Immutable, thread-safe.
 *
 * <p>Counts of what happened are 0 in a plan that was only explained.
 */
public final class QueryPlan {
  /** What {@link #driving} says where most regions scan. */
  public static final String SCAN = "scan";

  private final String table;
  private final String predicate;
  private final List<RegionPlan> regions;
  private final Optional<Run> run;

  /**
   * What the client saw of a run.
   *
   * @param rows rows returned
   * @param time from the query's start to its last row
   */
  record Run(long rows, Duration time) {}

  QueryPlan(String table, String predicate, List<RegionPlan> regions, Optional<Run> run) {
    this.table = table;
    this.predicate = predicate;
    this.regions = List.copyOf(regions);
    this.run = run;
  }

  /** The table's name. */
  public String table() {
    return table;
  }

  /** The predicate as it was sent: columns and literals with their types, NOT pushed down. */
  public String predicate() {
    return predicate;
  }

  /** One plan a region that the query asks, in row-key order. */
  public List<RegionPlan> regions() {
    return regions;
  }

  /** Whether the query ran, so that there are counts of what happened. */
  public boolean isAnalyzed() {
    return run.isPresent();
  }

  /** Index records that the regions that use an index expect to read; scanning regions count 0. */
  public long estimatedRecords() {
    return regions.stream().mapToLong(r -> PlanTable.estimatedRecords(r).orElse(0L)).sum();
  }

  /** Index records that were read. */
  public long recordsRead() {
    return sum(Actual::records);
  }

  /** Distinct rows that were considered after judging index records. */
  public long candidates() {
    return sum(Actual::candidates);
  }

  /** Rows that were read again from their region to be judged. */
  public long rereads() {
    return sum(Actual::rereads);
  }

  /** Rows that the query returned. */
  public long rows() {
    return run.map(Run::rows).orElse(0L);
  }

  /** How long the query took as the client saw it; zero if it did not run. */
  public Duration time() {
    return run.map(Run::time).orElse(Duration.ZERO);
  }

  private long sum(ToLongFunction<Actual> number) {
    return regions.stream().flatMap(r -> r.actual().stream()).mapToLong(number).sum();
  }

  /**
   * The index that drives the query in most regions, or {@link #SCAN}; of equally many the first by
   * name, an index before the scan.
   */
  public String driving() {
    Map<String, Long> counts =
        regions.stream()
            .filter(r -> r.path() != Path.SCAN)
            .collect(
                Collectors.groupingBy(RegionPlan::driving, TreeMap::new, Collectors.counting()));
    String best = SCAN;
    long most = 0;
    for (Map.Entry<String, Long> e : counts.entrySet()) {
      if (e.getValue() > most) {
        best = e.getKey();
        most = e.getValue();
      }
    }
    long scans = regions.stream().filter(r -> r.path() == Path.SCAN).count();
    return scans > most ? SCAN : best;
  }

  /** The plan for people: a summary, then an aligned table with one line a region. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    text.append("table:     ").append(table).append('\n');
    text.append("where:     ").append(predicate).append('\n');
    text.append("driving:   ").append(driving()).append('\n');
    text.append("estimated: ").append(estimatedRecords()).append(" index records\n");
    run.ifPresent(r -> text.append("actual:    ").append(happened(r)).append('\n'));
    return text.append('\n').append(PlanTable.of(regions)).toString();
  }

  private String happened(Run r) {
    return recordsRead()
        + " index records, "
        + candidates()
        + " candidates, "
        + rereads()
        + " re-reads, "
        + r.rows()
        + " rows in "
        + r.time().toMillis()
        + " ms";
  }

  @Override
  public String toString() {
    return toText();
  }
}
