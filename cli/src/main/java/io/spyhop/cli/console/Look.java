package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Cluster;
import io.spyhop.cli.console.Snapshot.Server;
import io.spyhop.cli.console.Snapshot.Slow;
import io.spyhop.client.Diagnosis;
import io.spyhop.client.JobSummary;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Release;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Looks at a cluster with what the client's API and the servers' JMX tell. What cannot be found out
 * costs its own part of the page only, is named there, and is shown as it was last. Not
 * thread-safe.
 */
final class Look implements Watch.Looking {
  /** Tables that are shown; how many more there are is said. */
  private static final int MAX_TABLES = 100;

  /** Slow queries that are shown, the latest of all servers. */
  private static final int MAX_SLOW = 100;

  private final Connection connection;
  private final Spyhop spyhop;
  private final ServerBeans beans;
  private final String release;
  private final Part<ClusterMetrics> metrics = new Part<>("servers");
  private final Part<List<Server>> servers = new Part<>("metrics of servers");
  private final Part<List<TableDescriptor>> listed = new Part<>("tables");
  private final Part<Long> repairs = new Part<>("repairs");
  private final Part<List<Slow>> slow = new Part<>("slow queries");
  private final Part<List<JobSummary>> jobs = new Part<>("jobs");
  private final Part<Diagnosis> doctor = new Part<>("doctor");
  private final Map<String, TableLook> tables = new TreeMap<>();

  /**
   * Looks over a connection, which stays the caller's.
   *
   * @throws IOException if this program does not know its release
   */
  Look(Connection connection, Spyhop spyhop) throws IOException {
    this.release = Release.version();
    this.connection = connection;
    this.spyhop = spyhop;
    this.beans =
        new ServerBeans(connection.getConfiguration().getBoolean("hbase.ssl.enabled", false));
  }

  /** Where the master does not answer nothing else is asked: each question would take as long. */
  @Override
  public Snapshot look(long at, long everyMs, boolean thoroughly) throws InterruptedIOException {
    boolean reached = metrics.look(at, this::metrics);
    if (reached) {
      servers.look(at, () -> servers(metrics.last()));
      repairs.look(at, () -> spyhop.admin().repairs());
      slow.look(at, this::slow);
      lookAtTables(at, thoroughly);
      if (thoroughly) {
        jobs.look(at, () -> JobSummary.of(spyhop.admin().jobs()));
        doctor.look(at, () -> spyhop.admin().diagnose());
      }
    }
    return snapshot(at, everyMs);
  }

  private void lookAtTables(long at, boolean thoroughly) throws InterruptedIOException {
    if (!listed.look(at, this::listed)) {
      return;
    }
    Map<String, TableDescriptor> shown = new TreeMap<>();
    listed.last().stream()
        .limit(MAX_TABLES)
        .forEach(t -> shown.put(t.getTableName().getNameAsString(), t));
    tables.keySet().retainAll(shown.keySet());
    for (Map.Entry<String, TableDescriptor> table : shown.entrySet()) {
      TableName name = table.getValue().getTableName();
      boolean isNew = !tables.containsKey(table.getKey());
      tables
          .computeIfAbsent(table.getKey(), n -> new TableLook(connection, spyhop, name))
          .look(at, table.getValue(), thoroughly || isNew);
    }
  }

  private Snapshot snapshot(long at, long everyMs) {
    Diagnosis found = doctor.last();
    boolean tablesSeen = listed.last() != null;
    return new Snapshot(
        at,
        everyMs,
        0,
        null,
        seen(),
        metrics.last() == null ? null : cluster(metrics.last()),
        servers.last(),
        tablesSeen ? tables.values().stream().map(TableLook::table).toList() : null,
        tablesSeen ? (long) listed.last().size() - tables.size() : null,
        repairs.last(),
        jobs.last(),
        slow.last(),
        found == null ? null : found.findings(),
        found != null,
        failures(),
        List.of());
  }

  private Map<String, Long> seen() {
    Map<String, Long> seen = new TreeMap<>();
    Map<String, Part<?>> parts =
        Map.of(
            "cluster", metrics,
            "servers", servers,
            "tables", listed,
            "repairs", repairs,
            "slow", slow,
            "jobs", jobs,
            "findings", doctor);
    parts.forEach(
        (name, part) -> {
          if (part.seenAt() != null) {
            seen.put(name, part.seenAt());
          }
        });
    return seen;
  }

  private List<String> failures() {
    List<String> all = new ArrayList<>();
    for (Part<?> part : List.of(metrics, servers, listed, repairs, slow, jobs, doctor)) {
      part.addFailure(all);
    }
    tables.values().forEach(t -> t.addFailures(all));
    return all;
  }

  private List<TableDescriptor> listed() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.listTableDescriptors().stream()
          .filter(TableLook::isWorthIt)
          .sorted(Comparator.comparing(TableDescriptor::getTableName))
          .toList();
    }
  }

  private ClusterMetrics metrics() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(
          EnumSet.of(
              Option.CLUSTER_ID,
              Option.HBASE_VERSION,
              Option.MASTER,
              Option.LIVE_SERVERS,
              Option.DEAD_SERVERS));
    }
  }

  private Cluster cluster(ClusterMetrics m) {
    return new Cluster(
        m.getClusterId(),
        m.getHBaseVersion(),
        release,
        m.getMasterName() == null ? null : m.getMasterName().getServerName(),
        m.getDeadServerNames().size());
  }

  private List<Server> servers(ClusterMetrics m) {
    Map<String, ServerMetrics> byName = new LinkedHashMap<>();
    m.getLiveServerMetrics().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(ServerName::getServerName)))
        .forEach(e -> byName.put(e.getKey().getServerName(), e.getValue()));
    Map<String, ServerBeans.Answer> answers = beans.ask(byName);
    List<Server> servers = new ArrayList<>();
    byName.forEach((name, metrics) -> servers.add(server(name, metrics, answers.get(name))));
    return servers;
  }

  private static Server server(String name, ServerMetrics s, ServerBeans.Answer beans) {
    return new Server(
        name,
        s.getRegionMetrics().size(),
        s.getRequestCountPerSecond(),
        (long) s.getUsedHeapSize().get(Size.Unit.MEGABYTE),
        (long) s.getMaxHeapSize().get(Size.Unit.MEGABYTE),
        beans.metrics() == null ? Map.of() : beans.metrics(),
        beans.why());
  }

  private List<Slow> slow() throws IOException {
    return spyhop.admin().slowQueries().stream()
        .map(Statuses::of)
        .sorted(Comparator.comparingLong(Slow::endedAt).reversed())
        .limit(MAX_SLOW)
        .toList();
  }
}
