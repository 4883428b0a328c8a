package io.spyhop.client.internal.admin;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.spyhop.client.Diagnosis;
import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.core.conf.HBaseLines;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/**
 * Looks at a cluster from end to end: at all servers side by side, then at the tables. For one
 * look; not thread-safe.
 */
public final class ClusterCheck {
  /** Servers, and then tables, that are asked at once. */
  private static final int THREADS = 32;

  /** A region that moves is back by then: what is found is looked for again. */
  private static final Duration MOTION = Duration.ofSeconds(3);

  private static final Duration STEP = Duration.ofSeconds(1);

  private final Admin admin;
  private final IndexStatuses statuses;
  private final GlobalIndexes globals;
  private final ViewStatuses views;
  private final Poll poll;
  private final List<Finding> findings = new ArrayList<>();

  /** Asks through an administrator, which stays the caller's. */
  public ClusterCheck(
      Admin admin, IndexStatuses statuses, GlobalIndexes globals, ViewStatuses views, Poll poll) {
    this.admin = admin;
    this.statuses = statuses;
    this.globals = globals;
    this.views = views;
    this.poll = poll;
  }

  /**
   * Asks all servers, then the regions of all tables with indexes, but for those of tables that
   * have regions on servers that do not answer.
   *
   * @param connection the administrator's
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the caller may not ADMIN
   *     everything
   */
  public Diagnosis look(Connection connection) throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS,
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("spyhop-look-%d").build());
    try {
      ServerChecks servers = new ServerChecks();
      servers.ask(channels(), pool);
      findings.addAll(servers.findings());
      Collection<TableCheck> tables = tables(connection, servers, pool);
      if (!servers.healthy().isEmpty()) {
        orphans();
      }
      return new Diagnosis(
          servers.healthy(),
          tables.stream().mapToInt(TableCheck::indexes).sum(),
          findings,
          Stream.concat(lacking(), tables.stream().flatMap(t -> t.notes().stream())).toList());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Versions of region servers are not told to clients; the master is upgraded first. */
  private Stream<Finding> lacking() throws IOException {
    String version =
        admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION)).getHBaseVersion();
    String remedy =
        "know what is lost, and how tables with FILE are upgraded (docs/compatibility.md)";
    String where = master();
    return HBaseLines.lackOf(version).stream().map(lack -> new Finding(where, lack, remedy));
  }

  private String master() throws IOException {
    return "master " + admin.getMaster();
  }

  private Map<String, CoprocessorRpcChannel> channels() throws IOException {
    Map<String, CoprocessorRpcChannel> channels = new LinkedHashMap<>();
    channels.put(master(), admin.coprocessorService());
    for (ServerName server : admin.getRegionServers()) {
      channels.put(ServerChecks.nameOf(server), admin.coprocessorService(server));
    }
    return channels;
  }

  private Collection<TableCheck> tables(
      Connection connection, ServerChecks servers, ExecutorService pool) throws IOException {
    List<TableDescriptor> all = admin.listTableDescriptors();
    Function<TableDescriptor, TableCheck> check =
        t -> new TableCheck(t, connection, statuses, views, servers::isReachable);
    Map<TableName, TableCheck> looked = new LinkedHashMap<>();
    Collection<TableCheck> last =
        poll.until(
            MOTION,
            STEP,
            () -> look(all, check, looked, pool),
            tables -> tables.stream().allMatch(t -> t.findings().isEmpty()));
    last.forEach(t -> findings.addAll(t.findings()));
    return last;
  }

  /** Looks at the tables that were not looked at, or of which something was found. */
  private static Collection<TableCheck> look(
      List<TableDescriptor> all,
      Function<TableDescriptor, TableCheck> check,
      Map<TableName, TableCheck> looked,
      ExecutorService pool)
      throws IOException {
    Map<TableName, Future<TableCheck>> asked = new LinkedHashMap<>();
    for (TableDescriptor table : all) {
      TableCheck last = looked.get(table.getTableName());
      if (last == null || !last.findings().isEmpty()) {
        asked.put(table.getTableName(), pool.submit(check.apply(table)::look));
      }
    }
    for (Map.Entry<TableName, Future<TableCheck>> table : asked.entrySet()) {
      looked.put(table.getKey(), awaited(table.getValue()));
    }
    return looked.values();
  }

  private static <T> T awaited(Future<T> task) throws IOException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while looking at the cluster", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private void orphans() throws IOException {
    for (var orphan : globals.orphans(admin)) {
      findings.add(
          new Finding(
              TableCheck.where(orphan.table()),
              "an index table that no definition names, as " + orphan.why(),
              "drop it with 'spyhop index drop'"));
    }
  }
}
