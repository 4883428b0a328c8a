package io.spyhop.cli.console;

import io.spyhop.client.Diagnosis;
import io.spyhop.client.JobSummary;
import io.spyhop.client.RegionStatistics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster as it was at a moment; the page's JSON. A part that could not be seen is as it was when
 * it was seen last, and {@code seen} says when; it is null if it never was. Null, too, where
 * something is not counted. Immutable, thread-safe.
 *
 * @param at when it was looked at, milliseconds since the epoch by this machine's clock; 0 if it
 *     never was
 * @param everyMs how often it is looked at
 * @param ageMs how long ago that look began, by the same clock
 * @param lookingMs how long the look takes that goes on; null if none does
 * @param seen the parts by their names here, with the time of the look that saw them last
 * @param servers live region servers
 * @param tables with indexes, sorted views or buckets
 * @param findings what the doctor found; null if it could not look
 * @param diagnosed whether it looked
 * @param failures what could not be found out, each in one line
 * @param history of the last hour, the oldest first
 */
public record Snapshot(
    long at,
    long everyMs,
    long ageMs,
    Long lookingMs,
    Map<String, Long> seen,
    Cluster cluster,
    List<Server> servers,
    List<Table> tables,
    Long moreTables,
    Long repairs,
    List<JobSummary> jobs,
    List<Slow> slow,
    List<Diagnosis.Finding> findings,
    boolean diagnosed,
    List<String> failures,
    List<Sample> history) {

  /** Copies the lists. */
  public Snapshot {
    seen = Collections.unmodifiableMap(new TreeMap<>(seen));
    servers = copy(servers);
    tables = copy(tables);
    jobs = copy(jobs);
    slow = copy(slow);
    findings = copy(findings);
    failures = List.copyOf(failures);
    history = List.copyOf(history);
  }

  private static <T> List<T> copy(List<T> known) {
    return known == null ? null : Collections.unmodifiableList(new ArrayList<>(known));
  }

  /** What is known before the first look. */
  static Snapshot none(long everyMs) {
    return new Snapshot(
        0, everyMs, 0, null, Map.of(), null, null, null, null, null, null, null, null, false,
        List.of(), List.of());
  }

  /** The same, as it is handed out. */
  Snapshot served(long age, Long looking, List<Sample> hour) {
    return new Snapshot(
        at,
        everyMs,
        age,
        looking,
        seen,
        cluster,
        servers,
        tables,
        moreTables,
        repairs,
        jobs,
        slow,
        findings,
        diagnosed,
        failures,
        hour);
  }

  /** Whether the look of this moment saw a part. */
  boolean saw(String part) {
    return Long.valueOf(at).equals(seen.get(part));
  }

  /**
   * The cluster.
   *
   * @param spyhop this program's release
   * @param master null if none is known
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
   * A table with indexes, sorted views or buckets. Its parts are null if they were never seen.
   *
   * @param seen as in the snapshot
   * @param statistics of its regions, the first of them
   * @param moreRegions how many regions are not among these
   * @param views a line for each family with sorted views
   * @param buckets how they lie; null as well if it has none
   * @param rebalance its last; null as well if there was none
   */
  record Table(
      String name,
      Map<String, Long> seen,
      Boolean enabled,
      List<Index> indexes,
      List<RegionStatistics> statistics,
      long moreRegions,
      List<View> views,
      Buckets buckets,
      Rebalance rebalance) {
    /** Copies the lists. */
    Table {
      seen = Collections.unmodifiableMap(new TreeMap<>(seen));
      indexes = copy(indexes);
      statistics = copy(statistics);
      views = copy(views);
    }
  }

  /**
   * An index.
   *
   * @param done how many of its units are covered: HFiles, or regions
   * @param unit what is counted
   * @param answered regions that said how they are
   * @param repairedUpTo milliseconds since the epoch
   * @param build how far a global index is that is being built
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
      String build,
      List<String> errors) {
    /** Copies the errors. */
    Index {
      errors = List.copyOf(errors);
    }
  }

  /**
   * The sorted views of a family, over the regions that said how they are.
   *
   * @param regions of the table
   * @param answered those that said so
   * @param hfiles of their stores
   * @param inView how many of these are in a view
   * @param pending regions in which a view is being made
   * @param problems what is wrong, each once
   */
  record View(
      String family,
      int regions,
      int answered,
      long hfiles,
      long inView,
      long bytes,
      int pending,
      List<String> problems) {
    /** Copies the problems. */
    View {
      problems = List.copyOf(problems);
    }
  }

  /**
   * The buckets of a table.
   *
   * @param homeless those that no server has
   */
  record Buckets(int count, int homeless, List<Share> servers) {
    /** Copies the shares. */
    Buckets {
      servers = List.copyOf(servers);
    }
  }

  /**
   * The state of a table's last rebalance.
   *
   * @param since milliseconds since the epoch
   * @param moved buckets that were moved
   * @param left buckets that are left
   * @param missing index files that buckets should have had and had not when they were moved
   * @param heldMillis how long writes were held up, all buckets together
   * @param note what went wrong last, why it ended, or what it waits for; else empty
   */
  record Rebalance(
      String phase,
      boolean running,
      String user,
      long since,
      int moved,
      int left,
      int missing,
      long heldMillis,
      String note) {}

  /**
   * A server's share of a table's buckets.
   *
   * @param bytes null if a bucket's size is not known
   */
  record Share(String server, int buckets, Long bytes) {}

  /** A slow query, and what its region did; null where the server did not say. */
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
      Double ms,
      Long rows,
      Long records,
      Long candidates,
      Long rereads,
      Long uncoveredCells,
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

  /** The cost that was estimated for an index. */
  record Estimate(String index, long records, int filesCovered, int filesMissing) {}

  /**
   * A moment of the last hour. Null where it was not known then.
   *
   * @param uncoveredBytes HFiles that are not covered, of the servers whose JMX was reached
   * @param waitingJobs of the same servers
   * @param indexed region scans by an index, a second
   * @param plain region scans without, a second
   */
  record Sample(
      long at,
      Integer servers,
      Integer dead,
      Long requests,
      Double indexed,
      Double plain,
      Double uncoveredBytes,
      Double waitingJobs,
      Long repairs,
      Integer findings) {}
}
