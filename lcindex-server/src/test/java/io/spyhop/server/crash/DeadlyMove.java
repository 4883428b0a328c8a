package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.BucketInfo;
import io.spyhop.core.bucket.Rebalance.Move;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rebalances amid which the master dies, or the server that has a bucket, or that gets it. */
final class DeadlyMove {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlyMove.class);
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final int MOST_DELAY = 1_500;
  private static final int FIRST_DELAY = 1_000;

  /** The master; it is none of the region servers. */
  static final int MASTER = -1;

  /** The process that dies. */
  enum Victim {
    MASTER,
    SOURCE,
    DESTINATION
  }

  private final CrashCluster cluster;
  private final CrashTable table;
  private final Executor threads;
  private final Random random;
  private CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);
  private int strikes;
  private int early;
  private int done;

  DeadlyMove(CrashCluster cluster, CrashTable table, Executor threads, long seed) {
    this.cluster = cluster;
    this.table = table;
    this.threads = threads;
    this.random = new Random(seed);
  }

  /**
   * Has buckets move, all to one server or back to all, and kills at any moment.
   *
   * @param committed whether one of the moves has been committed; otherwise it dies as the first
   *     bucket is shipped or its writes are held up, or even before
   * @return the region server that is dead, or {@link #MASTER}
   */
  int strike(Victim victim, boolean committed) throws Exception {
    Set<ServerName> staying = staying();
    Move<ServerName> first =
        table.spyhop().buckets().plan(CrashTable.NAME, staying).buckets().get(0);
    BlockingQueue<Move<ServerName>> moves = new LinkedBlockingQueue<>();
    running = CompletableFuture.supplyAsync(() -> rebalance(staying, moves), threads);
    strikes++;
    Move<ServerName> move = committed ? moved(moves) : first;
    // Whatever comes next: this move, the shipping of the next one, its commit.
    Move<ServerName> next =
        moves.poll(random.nextInt(committed ? MOST_DELAY : FIRST_DELAY), TimeUnit.MILLISECONDS);
    early += next == null && !committed ? 1 : 0;
    return kill(victim, move);
  }

  private Set<ServerName> staying() throws IOException {
    List<ServerName> servers = servers();
    Set<ServerName> held = new HashSet<>();
    for (BucketInfo info : table.spyhop().buckets().buckets(CrashTable.NAME)) {
      held.add(info.server().orElseThrow());
    }
    return held.size() > 1
        ? Set.of(servers.get(random.nextInt(servers.size())))
        : Set.copyOf(servers);
  }

  private Move<ServerName> moved(BlockingQueue<Move<ServerName>> moves)
      throws InterruptedException {
    Move<ServerName> move = null;
    for (int i = random.nextInt(3); i >= 0; i--) {
      move = moves.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(move).as("a move; %s", running).isNotNull();
    }
    return move;
  }

  private int kill(Victim victim, Move<ServerName> move) throws IOException {
    LOG.info("The {} of {} dies", victim, move);
    if (victim == Victim.MASTER) {
      cluster.kill9Master();
      return MASTER;
    }
    int server = cluster.indexOf(victim == Victim.SOURCE ? move.from() : move.to());
    cluster.kill9(server);
    return server;
  }

  private boolean rebalance(Set<ServerName> staying, BlockingQueue<Move<ServerName>> moves) {
    try {
      table.spyhop().buckets().rebalance(CrashTable.NAME, staying, Duration.ZERO, moves::add);
      return true;
    } catch (IOException e) {
      LOG.info("A rebalance is given up", e);
      return false;
    }
  }

  private List<ServerName> servers() throws IOException {
    List<ServerName> servers = new ArrayList<>();
    for (int i = 0; i < cluster.size(); i++) {
      servers.add(cluster.name(i));
    }
    return servers;
  }

  /** Waits until the rebalance has ended, done or given up; the next one must find none running. */
  void awaitEnd() throws Exception {
    done += running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) ? 1 : 0;
  }

  /** What became of them. */
  String report() {
    return String.format(
        "%d of %d rebalances done, the others given up; %d kills before the first commit was seen",
        done, strikes, early);
  }
}
