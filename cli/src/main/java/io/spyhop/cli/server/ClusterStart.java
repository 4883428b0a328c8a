package io.spyhop.cli.server;

import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.LocalHBaseCluster;

/**
 * Starts the servers of a cluster in this JVM and waits until it can be used. Unlike {@link
 * LocalHBaseCluster#startup()} it notices when a server ends instead of waiting for it, and prints
 * nothing.
 */
final class ClusterStart {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration STEP = Duration.ofMillis(50);

  private final LocalHBaseCluster cluster;
  private final List<Thread> servers = new ArrayList<>();
  private final long deadline = System.nanoTime() + LIMIT.toNanos();

  private ClusterStart(LocalHBaseCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Returns when the master is initialised, which takes the region servers it waits for.
   *
   * @throws IOException if a server ends or it takes more than three minutes
   */
  static void run(LocalHBaseCluster cluster) throws IOException {
    ClusterStart start = new ClusterStart(cluster);
    start.begin(cluster.getMasters());
    start.await("the master to become active", () -> cluster.getActiveMaster() != null);
    start.begin(cluster.getRegionServers());
    start.await("the master to be initialised", start::isInitialized);
  }

  private boolean isInitialized() {
    return cluster.getMasters().stream().allMatch(m -> m.getMaster().isInitialized());
  }

  private void await(String what, BooleanSupplier reached) throws IOException {
    while (!reached.getAsBoolean()) {
      requireAlive();
      if (System.nanoTime() > deadline) {
        throw new IOException("waited " + LIMIT.toMinutes() + " minutes for " + what);
      }
      pause(what);
    }
  }

  private void begin(List<? extends Thread> threads) {
    threads.forEach(Thread::start);
    servers.addAll(threads);
  }

  private void requireAlive() throws IOException {
    for (Thread server : servers) {
      if (!server.isAlive()) {
        throw new IOException(server.getName() + " ended while it started");
      }
    }
  }

  private static void pause(String what) throws InterruptedIOException {
    try {
      Thread.sleep(STEP.toMillis());
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted waiting for " + what, e);
    }
  }
}
