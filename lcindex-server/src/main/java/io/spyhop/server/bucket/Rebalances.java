package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.protocol.RebalanceState.Will;
import io.spyhop.server.bucket.BucketCluster.Place;
import io.spyhop.server.ddl.SystemConnection;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rebalances of a master: one of each table at a time, some side by side. What has begun is in
 * a journal, and the next master ends what this one does not. Thread-safe.
 */
public final class Rebalances implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Rebalances.class);
  private static final int THREADS = 4;
  private static final long IDLE_SECONDS = 60;

  private final RebalanceJournal journal;
  private final BucketCluster cluster;
  private final IoConsumer<String> watch;
  private final LongSupplier clock;
  private final ThreadPoolExecutor threads;

  /** Those that run, or wait for a thread. */
  private final Map<TableName, RebalanceTask> tasks = new ConcurrentHashMap<>();

  /**
   * Those of a master.
   *
   * @param connection as the server's own user
   * @param watch is told of each step
   */
  public static Rebalances of(
      MasterServices master, SystemConnection connection, IoConsumer<String> watch) {
    RebalanceJournal journal =
        new RebalanceJournal(
            master.getMasterFileSystem().getFileSystem(),
            master.getMasterFileSystem().getRootDir());
    return new Rebalances(
        journal, new MasterCluster(master, connection), watch, EnvironmentEdgeManager::currentTime);
  }

  /**
   * @param clock milliseconds
   */
  Rebalances(
      RebalanceJournal journal,
      BucketCluster cluster,
      IoConsumer<String> watch,
      LongSupplier clock) {
    this.journal = journal;
    this.cluster = cluster;
    this.watch = watch;
    this.clock = clock;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new ThreadFactoryBuilder()
                .setDaemon(true)
                .setNameFormat("spyhop-rebalance-%d")
                .build());
    this.threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins a rebalance, or tells how far it is if it has begun.
   *
   * @param user who asks
   * @throws DoNotRetryIOException if the table has no buckets, another rebalance of it runs, or a
   *     server that shall have buckets is not there
   */
  public synchronized RebalanceState begin(RebalanceRequest asked, String user) throws IOException {
    TableName table = asked.table();
    Optional<RebalanceState> same = state(asked);
    if (same.isPresent()) {
      return same.get();
    }
    Optional<RebalanceState> last = state(table);
    if (last.filter(s -> s.phase().isOpen()).isPresent()) {
      startIfIdle(last.get());
      throw taken(last.get());
    }
    List<String> regions =
        cluster.places(table).values().stream().map(p -> p.region().getEncodedName()).toList();
    requireOpen(asked);
    RebalanceState begun =
        RebalanceState.begun(
            asked, user, clock.getAsLong(), regions, last.flatMap(RebalanceState::lastWill));
    journal.write(begun);
    watch.accept("rebalance: begun");
    start(begun);
    return begun;
  }

  private void requireOpen(RebalanceRequest asked) throws IOException {
    String on = "table '" + asked.table() + "': ";
    if (asked.staying().isEmpty()) {
      throw new DoNotRetryIOException(on + "no server would be left to have its buckets");
    }
    Set<ServerName> live = cluster.live();
    Set<ServerName> open = cluster.open();
    for (ServerName server : asked.staying()) {
      if (!live.contains(server)) {
        throw new DoNotRetryIOException(on + "server " + server + " is not there");
      }
      if (!open.contains(server)) {
        throw new DoNotRetryIOException(
            on
                + "server "
                + server
                + " is decommissioned, and HBase moves no region there: leave it out, or"
                + " recommission it first (recommission_regionserver in the shell)");
      }
    }
  }

  /**
   * What a rebalance would move if it began now.
   *
   * @throws DoNotRetryIOException as {@link #begin}; but another rebalance of the table may run
   */
  public RebalancePlan plan(RebalanceRequest asked) throws IOException {
    Map<Bucket, Place> places = cluster.places(asked.table());
    requireOpen(asked);
    return BucketPlan.of(cluster, asked.table(), places, Set.copyOf(asked.staying())).told();
  }

  /**
   * Begins what makes the buckets of all tables even, where nothing runs, and the last rebalance
   * was not stopped by an administrator. A server that the last rebalance of a table left out,
   * although it was there, gets no buckets of it until it has been started again or a rebalance is
   * asked for that has it. What cannot be done now is tried when HBase's balancer comes the next
   * time.
   *
   * @param user who does it
   */
  public void even(String user) throws IOException {
    for (TableName table : cluster.tables()) {
      try {
        even(table, user);
      } catch (IOException | RuntimeException e) {
        LOG.warn("The buckets of {} are not looked at now", table, e);
      }
    }
  }

  private synchronized void even(TableName table, String user) throws IOException {
    Optional<RebalanceState> last = state(table);
    Set<ServerName> servers = servers(last.flatMap(RebalanceState::lastWill));
    boolean stays = last.filter(s -> s.phase().isOpen() || s.phase() == Phase.STOPPED).isPresent();
    if (!stays && !servers.isEmpty() && !plan(table, servers).isEmpty()) {
      begin(
          new RebalanceRequest(
              table, UUID.randomUUID(), List.copyOf(servers), Rebalance.USUAL_PAUSE),
          user);
    }
  }

  private BucketPlan plan(TableName table, Set<ServerName> staying) throws IOException {
    return BucketPlan.of(cluster, table, cluster.places(table), staying);
  }

  private Set<ServerName> servers(Optional<Will> will) {
    Set<ServerName> servers = new TreeSet<>(cluster.open());
    will.ifPresent(
        last -> {
          Set<Address> had =
              last.staying().stream().map(ServerName::getAddress).collect(Collectors.toSet());
          servers.removeIf(s -> s.getStartCode() < last.since() && !had.contains(s.getAddress()));
        });
    return servers;
  }

  private static DoNotRetryIOException taken(RebalanceState by) {
    return new DoNotRetryIOException(
        "table '"
            + by.request().table()
            + "' is being rebalanced, by user '"
            + by.user()
            + "' since "
            + Instant.ofEpochMilli(by.since()).truncatedTo(ChronoUnit.SECONDS)
            + ", and one rebalance of a table runs at a time: wait until it has ended (spyhop"
            + " rebalance "
            + by.request().table()
            + " --follow), or stop it (--stop)");
  }

  /** How far the last rebalance of a table is; empty if there was none. */
  public Optional<RebalanceState> state(TableName table) throws IOException {
    RebalanceTask task = tasks.get(table);
    if (task == null) {
      return journal.read(table);
    }
    RebalanceState now = task.state();
    return Optional.of(task.hasBegun() || !now.phase().isOpen() ? now : now.waiting(others()));
  }

  private String others() {
    Set<TableName> first = new TreeSet<>();
    tasks.forEach(
        (table, task) -> {
          if (task.hasBegun()) {
            first.add(table);
          }
        });
    return "it waits for the rebalances of " + first + ": " + THREADS + " run side by side";
  }

  /**
   * A table is gone, or is about to come: what runs or was noted of one of its name ends, and moves
   * nothing any more.
   */
  public synchronized void forget(TableName table) throws IOException {
    RebalanceTask task = tasks.get(table);
    if (task != null) {
      task.forget();
      tasks.remove(table, task);
    }
    journal.forget(table);
  }

  /**
   * Has the rebalance of a table end, if one runs, as soon as no bucket of it is amid its move.
   *
   * @param why it is given up
   */
  public void abort(TableName table, String why) throws IOException {
    stop(table, new RebalanceRun.Ending(why, false));
  }

  /**
   * The same because an administrator wants it: no other one begins by itself.
   *
   * @param asked is stopped, and no other rebalance of the table
   * @param user who asks
   * @return how far it is; empty if it is not the last of its table
   */
  public synchronized Optional<RebalanceState> stop(RebalanceRequest asked, String user)
      throws IOException {
    if (state(asked).isPresent()) {
      stop(asked.table(), new RebalanceRun.Ending("user '" + user + "' stopped it", true));
    }
    return state(asked);
  }

  private synchronized void stop(TableName table, RebalanceRun.Ending how) throws IOException {
    state(table).filter(s -> s.phase().isOpen()).ifPresent(this::startIfIdle);
    RebalanceTask task = tasks.get(table);
    if (task != null) {
      task.stop(how);
    }
  }

  /** How far a rebalance is; empty if it is not the last of its table. */
  public Optional<RebalanceState> state(RebalanceRequest asked) throws IOException {
    return state(asked.table()).filter(s -> s.request().id().equals(asked.id()));
  }

  /** Whether buckets of a table are being moved; not while it waits for other tables. */
  public boolean isMoving(TableName table) {
    RebalanceTask task = tasks.get(table);
    return task != null && task.hasBegun();
  }

  /** Whether nothing of a table runs or waits. */
  boolean isIdle(TableName table) {
    return !tasks.containsKey(table);
  }

  /** Goes on with what earlier masters have begun. Returns at once. */
  public synchronized void resume() throws IOException {
    for (RebalanceState state : journal.open()) {
      startIfIdle(state);
    }
  }

  private void startIfIdle(RebalanceState state) {
    if (isIdle(state.request().table())) {
      LOG.info("The rebalance of {} goes on", state.request().table());
      start(state);
    }
  }

  private void start(RebalanceState state) {
    RebalanceTask task = new RebalanceTask(journal, watch, state);
    tasks.put(state.request().table(), task);
    threads.execute(() -> run(task));
  }

  private void run(RebalanceTask task) {
    TableName table = task.state().request().table();
    try {
      if (task.begin()) {
        new RebalanceRun(cluster, task, task.state()).run();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("The rebalance of {} ends here; the next master goes on", table, e);
    } finally {
      tasks.remove(table, task);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
