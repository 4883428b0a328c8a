package io.spyhop.cli.console;

import io.spyhop.client.Diagnosis;
import io.spyhop.client.JobSummary;
import io.spyhop.client.RegionStatistics;
import java.util.List;
import java.util.Map;

/**
 * A cluster as it was at a moment; the page's JSON. Null where something is not counted or is not
 * known. Immutable, thread-safe.
 *
 * @param at when it was looked at, milliseconds since the epoch by this machine's clock; 0 if it
 *     never was
 * @param everyMs how often it is looked at
 * @param failures what could not be found out, each in one line
 */
public record Snapshot(
    long at,
    long everyMs,
    Cluster cluster,
    List<Server> servers,
    List<Table> tables,
    long moreTables,
    Long repairs,
    List<JobSummary> jobs,
    List<Slow> slow,
    List<Diagnosis.Finding> findings,
    boolean diagnosed,
    List<String> failures) {

  /** Copies the lists. */
  public Snapshot {
    servers = List.copyOf(servers);
    tables = List.copyOf(tables);
    jobs = List.copyOf(jobs);
    slow = List.copyOf(slow);
    findings = List.copyOf(findings);
    failures = List.copyOf(failures);
  }

  /** What is known before anybody has looked. */
  static Snapshot none(long everyMs) {
    return new Snapshot(
        0,
        everyMs,
        new Cluster("", "", "", "", 0),
        List.of(),
        List.of(),
        0,
        null,
        List.of(),
        List.of(),
        List.of(),
        false,
        List.of());
  }

  /**
   * The cluster.
   *
   * @param spyhop this program's release
   */
  record Cluster(String id, String hbase, String spyhop, String master, int deadServers) {}

  /**
   * A live region server.
   *
   * @param metrics of Spyhop, by their names in JMX; empty where JMX was not reached
   * @param noMetrics why it was not, or null
   */
  record Server(
      String name,
      int regions,
      long requestsPerSecond,
      long heapUsedMb,
      long heapMaxMb,
      Map<String, Double> metrics,
      String noMetrics) {
    /** Copies the metrics. */
    Server {
      metrics = Map.copyOf(metrics);
    }
  }

  /**
   * A table with indexes.
   *
   * @param statistics of its regions, the first of them
   * @param moreRegions how many regions are not among these
   */
  record Table(
      String name,
      boolean enabled,
      List<Index> indexes,
      List<RegionStatistics> statistics,
      long moreRegions) {
    /** Copies the lists. */
    Table {
      indexes = List.copyOf(indexes);
      statistics = List.copyOf(statistics);
    }
  }

  /**
   * An index.
   *
   * @param done how many of its units are covered: HFiles, or regions
   * @param unit what is counted
   * @param answered regions that said how they are
   * @param repairedUpTo milliseconds since the epoch
   */
  record Index(
      String name,
      String kind,
      String column,
      String type,
      String state,
      long done,
      long of,
      String unit,
      Integer answered,
      int regions,
      Long entries,
      Long undecodable,
      Long bytes,
      Integer pending,
      Long repairedUpTo,
      List<String> errors) {
    /** Copies the errors. */
    Index {
      errors = List.copyOf(errors);
    }
  }

  /** A slow query, and what its region did. */
  record Slow(
      long endedAt,
      String table,
      String predicate,
      String region,
      String server,
      String path,
      String driving,
      String reason,
      String fallback,
      double ms,
      long rows,
      long records,
      long candidates,
      long rereads,
      long uncoveredCells,
      long scanCells,
      int filesCovered,
      int filesMissing,
      long memstoreCells,
      List<Estimate> estimates) {
    /** Copies the estimates. */
    Slow {
      estimates = List.copyOf(estimates);
    }
  }

  /** What an index would have cost. */
  record Estimate(String index, long records, int filesCovered, int filesMissing) {}
}
