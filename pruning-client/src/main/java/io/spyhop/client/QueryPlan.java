package io.spyhop.client;

import io.spyhop.client.internal.plan.DecisionTable;
import io.spyhop.client.internal.plan.PlanTable;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Actual;
import io.spyhop.core.protocol.RegionPlan.Path;
import io.spyhop.core.prune.ScanState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The plan of a query, region by region, before or after it ran. Immutable, thread-safe.
 *
 * <p>Counts of what happened are 0 in a plan that was only explained.
 */
public final class QueryPlan {
  /** What {@link #driving} says where most regions scan. */
  public static final String SCAN = "scan";

  private final String table;
  private final String predicate;
  private final List<RegionPlan> regions;
  private final List<RegionDecision> decisions;
  private final Optional<Run> run;
  private final Optional<Global> global;

  /**
   * The part of global indexes in the query.
   *
   * @param index the index that answers, or empty
   * @param entries entries that were read of it
   * @param candidates rows that they point at, in the query's range
   * @param rowsRead how many of these rows were read from the table so far
   * @param unknown ranges of rows that the index may lack, as they are being built or moved; they
   *     are scanned
   * @param reason why no global index answers, or why a scan took over from it; or empty
   */
  public record Global(
      String index, long entries, long candidates, long rowsRead, int unknown, String reason) {
    @Override
    public String toString() {
      if (index.isEmpty()) {
        return "not used: " + reason;
      }
      String read = "index " + index + ", " + entries + " entries, " + candidates + " candidates";
      return read
          + (rowsRead > 0 ? ", " + rowsRead + " rows read" : "")
          + (unknown > 0 ? ", BUILDING: " + unknown + " ranges of rows scanned" : "")
          + (reason.isEmpty() ? "" : "; a scan took over: " + reason);
    }
  }

  /**
   * The client's measurements of a run.
   *
   * @param rows rows returned
   * @param time from the query's start to its last row
   */
  record Run(long rows, Duration time) {}

  QueryPlan(String table, String predicate, List<RegionPlan> regions, Optional<Run> run) {
    this(table, predicate, regions, List.of(), run, Optional.empty());
  }

  QueryPlan(
      String table,
      String predicate,
      List<RegionPlan> regions,
      List<RegionDecision> decisions,
      Optional<Run> run,
      Optional<Global> global) {
    this.decisions = List.copyOf(decisions);
    this.global = global;
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

  /** What global indexes have to do with the query; empty if none can drive it. */
  public Optional<Global> global() {
    return global;
  }

  private boolean isGlobal() {
    return global.filter(g -> !g.index.isEmpty() && g.reason.isEmpty()).isPresent();
  }

  /**
   * One plan a region, in row-key order; if the query ran, only of regions that it read; none if a
   * global index answers, which asks for single rows.
   */
  public List<RegionPlan> regions() {
    return regions;
  }

  /**
   * What the query does with each region and why, in row-key order: which ones it leaves out. Empty
   * where statistics can say nothing, be it that a global index answers.
   */
  public List<RegionDecision> decisions() {
    return decisions;
  }

  /** Whether the query ran, so that there are counts of what happened. */
  public boolean isAnalyzed() {
    return run.isPresent();
  }

  /** Index records that the regions that use an index expect to read; scanning regions count 0. */
  public long estimatedRecords() {
    long ofRegions =
        regions.stream().mapToLong(r -> PlanTable.estimatedRecords(r).orElse(0L)).sum();
    return isGlobal() ? global.get().entries : ofRegions;
  }

  /** Index records that were read. */
  public long recordsRead() {
    return ofGlobal(Global::entries) + sum(Actual::records);
  }

  /** Distinct rows that were considered after judging index records. */
  public long candidates() {
    return ofGlobal(Global::candidates) + sum(Actual::candidates);
  }

  /** Rows that were read again from their region to be judged. */
  public long rereads() {
    return ofGlobal(Global::rowsRead) + sum(Actual::rereads);
  }

  /** Rows that the query returned. */
  public long rows() {
    return run.map(Run::rows).orElse(0L);
  }

  /** How long the query took as the client saw it; zero if it did not run. */
  public Duration time() {
    return run.map(Run::time).orElse(Duration.ZERO);
  }

  /** A number of a global index that was read; an explained plan counts nothing. */
  private long ofGlobal(ToLongFunction<Global> number) {
    return isAnalyzed() ? global.stream().mapToLong(number).sum() : 0;
  }

  private long sum(ToLongFunction<Actual> number) {
    return regions.stream().flatMap(r -> r.actual().stream()).mapToLong(number).sum();
  }

  /**
   * The index that drives the query in most regions, or {@link #SCAN}; of equally many the first by
   * name, an index before the scan. A global index drives it in all of them.
   */
  public String driving() {
    if (isGlobal()) {
      return global.get().index;
    }
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
    return toText(Integer.MAX_VALUE);
  }

  /**
   * The same in lines of a width at most, if leaving out details of the table makes them so narrow.
   */
  public String toText(int width) {
    StringBuilder text = new StringBuilder();
    text.append("table:     ").append(table).append('\n');
    text.append("where:     ").append(predicate).append('\n');
    text.append("driving:   ").append(driving()).append('\n');
    text.append("estimated: ").append(estimatedRecords()).append(" index records\n");
    global.ifPresent(g -> text.append("global:    ").append(g).append('\n'));
    if (!decisions.isEmpty()) {
      text.append("pruning:   ").append(pruned()).append('\n');
    }
    run.ifPresent(r -> text.append("actual:    ").append(happened(r)).append('\n'));
    if (!regions.isEmpty() || !isGlobal()) {
      text.append('\n').append(PlanTable.of(regions, width));
    }
    if (!decisions.isEmpty()) {
      text.append('\n').append(DecisionTable.of(decisions, width));
    }
    return text.toString();
  }

  private String pruned() {
    return decisions.stream().filter(RegionDecision::isPruned).count()
        + " of "
        + decisions.size()
        + " regions left out, "
        + decisions.stream().filter(d -> d.state() == ScanState.RS).count()
        + " read with empty memstores";
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
