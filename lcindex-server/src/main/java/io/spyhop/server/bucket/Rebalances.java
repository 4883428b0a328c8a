package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
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
  private final Watch watch;
  private final LongSupplier clock;
  private final ThreadPoolExecutor threads;

  /** How far those are that run, or wait for a thread. */
  private final Map<TableName, RebalanceState> running = new ConcurrentHashMap<>();

  /** Is told of each step. */
  @FunctionalInterface
  public interface Watch {
    /** A step has been done. */
    void done(String step) throws IOException;
  }

  /**
   * Those of a master.
   *
   * @param connection as the server's own user
   * @param watch is told of each step
   */
  public static Rebalances of(MasterServices master, SystemConnection connection, Watch watch) {
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
  Rebalances(RebalanceJournal journal, BucketCluster cluster, Watch watch, LongSupplier clock) {
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
    Optional<RebalanceState> last = state(table);
    if (last.filter(s -> s.request().id().equals(asked.id())).isPresent()) {
      return last.get();
    }
    if (last.filter(s -> s.phase().isOpen()).isPresent()) {
      startIfIdle(last.get());
      throw taken(last.get());
    }
    cluster.places(table);
    Set<ServerName> live = cluster.live();
    for (ServerName server : asked.staying()) {
      if (!live.contains(server)) {
        throw new DoNotRetryIOException(
            "table '" + table + "': server " + server + " is not there");
      }
    }
    RebalanceState begun = RebalanceState.begun(asked, user, clock.getAsLong());
    journal.write(begun);
    watch.done("rebalance: begun");
    start(begun);
    return begun;
  }

  /**
   * Begins what makes the buckets of all tables even, where nothing runs. A server that the last
   * rebalance of a table left out, although it was there, gets no buckets of it until it has been
   * started again or a rebalance is asked for that has it. What cannot be done now is tried when
   * HBase's balancer comes the next time.
   *
   * @param user who does it
   */
  public void even(String user) throws IOException {
    for (TableName table : cluster.tables()) {
      try {
        even(table, user);
      } catch (IOException | RuntimeException e) {
        LOG.info("The buckets of {} are not looked at now", table, e);
      }
    }
  }

  private synchronized void even(TableName table, String user) throws IOException {
    Optional<RebalanceState> last = state(table);
    Set<ServerName> servers = servers(last);
    boolean runs = last.filter(s -> s.phase().isOpen()).isPresent();
    if (!runs
        && !servers.isEmpty()
        && !Rebalance.plan(RebalanceRun.byServer(cluster.places(table)), servers).isEmpty()) {
      begin(
          new RebalanceRequest(
              table, UUID.randomUUID(), List.copyOf(servers), Rebalance.USUAL_PAUSE),
          user);
    }
  }

  private Set<ServerName> servers(Optional<RebalanceState> last) {
    Set<ServerName> servers = new TreeSet<>(cluster.open());
    last.ifPresent(
        state -> {
          Set<Address> had =
              state.request().staying().stream()
                  .map(ServerName::getAddress)
                  .collect(Collectors.toSet());
          servers.removeIf(s -> s.getStartCode() < state.since() && !had.contains(s.getAddress()));
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
            + ", and one rebalance of a table runs at a time: wait until it has ended");
  }

  /** How far the last rebalance of a table is; empty if there was none. */
  public Optional<RebalanceState> state(TableName table) throws IOException {
    RebalanceState now = running.get(table);
    return now == null ? journal.read(table) : Optional.of(now);
  }

  /** A table is gone. */
  public void forget(TableName table) throws IOException {
    journal.forget(table);
  }

  /** Whether a table is being rebalanced. */
  public boolean isRunning(TableName table) {
    return running.containsKey(table);
  }

  /** Goes on with what earlier masters have begun. Returns at once. */
  public synchronized void resume() throws IOException {
    for (RebalanceState state : journal.open()) {
      startIfIdle(state);
    }
  }

  private void startIfIdle(RebalanceState state) {
    if (!running.containsKey(state.request().table())) {
      LOG.info("The rebalance of {} goes on", state.request().table());
      start(state);
    }
  }

  private void start(RebalanceState state) {
    TableName table = state.request().table();
    running.put(table, state);
    threads.execute(() -> run(table, state));
  }

  private void run(TableName table, RebalanceState state) {
    try {
      new RebalanceRun(cluster, new Notes(table), state).run();
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("The rebalance of {} ends here; the next master goes on", table, e);
    } finally {
      running.remove(table);
    }
  }

  private final class Notes implements RebalanceRun.Noting {
    private final TableName table;

    Notes(TableName table) {
      this.table = table;
    }

    @Override
    public void note(RebalanceState state) throws IOException {
      journal.write(state);
      running.put(table, state);
    }

    @Override
    public void done(String step) throws IOException {
      watch.done(step);
    }

    @Override
    public void gone() throws IOException {
      journal.forget(table);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
