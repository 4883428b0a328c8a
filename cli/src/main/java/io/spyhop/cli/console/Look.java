package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Cluster;
import io.spyhop.cli.console.Snapshot.Index;
import io.spyhop.cli.console.Snapshot.Server;
import io.spyhop.cli.console.Snapshot.Slow;
import io.spyhop.cli.console.Snapshot.Table;
import io.spyhop.client.Diagnosis;
import io.spyhop.client.JobSummary;
import io.spyhop.client.RegionStatistics;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Release;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a cluster with what the client's API and the servers' JMX tell. What cannot be found out
 * costs its own part of the page only, and is named there. Not thread-safe.
 */
final class Look implements Watch.Looking {
  /** Tables that are shown; how many more there are is said. */
  private static final int MAX_TABLES = 100;

  /** Regions of a table whose statistics are shown; how many more there are is said. */
  private static final int MAX_REGIONS = 200;

  /** Slow queries that are shown, the latest of all servers. */
  private static final int MAX_SLOW = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Look.class);

  private final Connection connection;
  private final Spyhop spyhop;
  private final ServerBeans beans;
  private final String release;
  private final List<String> failures = new ArrayList<>();

  /** What is looked at less often, as it was the last time. */
  private Rare rare = new Rare(List.of(), Optional.empty(), Map.of(), List.of());

  private record Rare(
      List<JobSummary> jobs,
      Optional<Diagnosis> diagnosis,
      Map<String, List<RegionStatistics>> statistics,
      List<String> failures) {}

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

  @Override
  public Snapshot look(long at, long everyMs, boolean thoroughly) throws InterruptedIOException {
    failures.clear();
    List<TableDescriptor> indexed = part("tables", List.of(), this::indexedTables);
    if (thoroughly) {
      rare = rare(indexed);
      failures.clear();
    }
    Optional<ClusterMetrics> metrics = part("servers", Optional.empty(), this::metrics);
    List<Table> tables = new ArrayList<>();
    for (TableDescriptor table : indexed.subList(0, Math.min(MAX_TABLES, indexed.size()))) {
      tables.add(table(table.getTableName()));
    }
    return new Snapshot(
        at,
        everyMs,
        metrics.map(this::cluster).orElse(new Cluster("", "", release, "", 0)),
        metrics.map(this::servers).orElse(List.of()),
        tables,
        indexed.size() - tables.size(),
        part("repairs", null, () -> spyhop.admin().repairs()),
        rare.jobs,
        part("slow queries", List.of(), this::slow),
        rare.diagnosis.map(Diagnosis::findings).orElse(List.of()),
        rare.diagnosis.isPresent(),
        failures()); // the last to be looked at: what came before may have failed
  }

  private List<String> failures() {
    List<String> all = new ArrayList<>(failures);
    all.addAll(rare.failures);
    return all;
  }

  /** Something that may fail by itself. */
  private interface Part<T> {
    T find() throws IOException;
  }

  private <T> T part(String what, T otherwise, Part<T> part) throws InterruptedIOException {
    try {
      return part.find();
    } catch (IOException | RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw (InterruptedIOException) new InterruptedIOException("the console ends").initCause(e);
      }
      LOG.debug("Cannot find out about {}", what, e);
      failures.add(what + ": " + text(e));
      return otherwise;
    }
  }

  /** The innermost reason, in one line. */
  private static String text(Throwable failure) {
    Throwable e = failure;
    while (e.getCause() != null && e.getCause() != e) {
      e = e.getCause();
    }
    String name = e.getClass().getSimpleName();
    return e.getMessage() == null
        ? name
        : name + ": " + e.getMessage().lines().findFirst().orElse("").strip();
  }

  private List<TableDescriptor> indexedTables() throws IOException {
    List<TableDescriptor> indexed = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : admin.listTableDescriptors()) {
        IndexSchema schema = IndexSchema.of(table);
        if (!schema.indexes().isEmpty() || !schema.unreadable().isEmpty()) {
          indexed.add(table);
        }
      }
    }
    indexed.sort(Comparator.comparing(TableDescriptor::getTableName));
    return indexed;
  }

  private Rare rare(List<TableDescriptor> indexed) throws InterruptedIOException {
    List<JobSummary> jobs = part("jobs", List.of(), () -> JobSummary.of(spyhop.admin().jobs()));
    Optional<Diagnosis> diagnosis =
        part("doctor", Optional.empty(), () -> Optional.of(spyhop.admin().diagnose()));
    Map<String, List<RegionStatistics>> statistics = new TreeMap<>();
    for (TableDescriptor table : indexed.subList(0, Math.min(MAX_TABLES, indexed.size()))) {
      TableName name = table.getTableName();
      if (isEnabled(name)) {
        statistics.put(
            name.getNameAsString(),
            part(
                "statistics of table '" + name + "'",
                List.of(),
                () -> spyhop.admin().regionStatistics(name)));
      }
    }
    return new Rare(jobs, diagnosis, statistics, List.copyOf(failures));
  }

  private boolean isEnabled(TableName name) throws InterruptedIOException {
    return part(
        "table '" + name + "'",
        false,
        () -> {
          try (Admin admin = connection.getAdmin()) {
            return admin.isTableEnabled(name);
          }
        });
  }

  private Optional<ClusterMetrics> metrics() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return Optional.of(
          admin.getClusterMetrics(
              EnumSet.of(
                  Option.CLUSTER_ID,
                  Option.HBASE_VERSION,
                  Option.MASTER,
                  Option.LIVE_SERVERS,
                  Option.DEAD_SERVERS)));
    }
  }

  private Cluster cluster(ClusterMetrics m) {
    return new Cluster(
        String.valueOf(m.getClusterId()),
        String.valueOf(m.getHBaseVersion()),
        release,
        m.getMasterName() == null ? "" : m.getMasterName().getServerName(),
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

  private Table table(TableName name) throws InterruptedIOException {
    boolean enabled = isEnabled(name);
    List<Index> indexes =
        enabled
            ? part(
                "indexes of table '" + name + "'",
                List.of(),
                () -> spyhop.admin().status(name).stream().map(Statuses::of).toList())
            : List.of();
    List<RegionStatistics> all = rare.statistics.getOrDefault(name.getNameAsString(), List.of());
    List<RegionStatistics> shown = all.subList(0, Math.min(MAX_REGIONS, all.size()));
    return new Table(name.getNameAsString(), enabled, indexes, shown, all.size() - shown.size());
  }

  private List<Slow> slow() throws IOException {
    return spyhop.admin().slowQueries().stream()
        .map(Statuses::of)
        .sorted(Comparator.comparingLong(Slow::endedAt).reversed())
        .limit(MAX_SLOW)
        .toList();
  }
}
