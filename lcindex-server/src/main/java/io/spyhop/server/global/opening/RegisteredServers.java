package io.spyhop.server.global.opening;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.zookeeper.KeeperException;

/**
 * The region servers that are registered in ZooKeeper. A member of its ensemble may be seconds
 * behind the one that the master asks, so it has to catch up before it is asked. Thread-safe.
 */
public final class RegisteredServers implements LiveServers.Source {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ZKWatcher zooKeeper;

  /** Asks over the server's own connection. */
  public RegisteredServers(ZKWatcher zooKeeper) {
    this.zooKeeper = zooKeeper;
  }

  @Override
  public List<String> list() throws IOException {
    String servers = zooKeeper.getZNodePaths().rsZNode;
    try {
      catchUp(servers);
      List<String> names = ZKUtil.listChildrenNoWatch(zooKeeper, servers);
      return names == null ? List.of() : names;
    } catch (KeeperException | ExecutionException | TimeoutException e) {
      throw new IOException("ZooKeeper does not say which region servers live", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("asking who lives").initCause(e);
    }
  }

  private void catchUp(String path)
      throws KeeperException, ExecutionException, TimeoutException, InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    zooKeeper
        .getRecoverableZooKeeper()
        .sync(
            path,
            (code, its, context) -> {
              if (code == KeeperException.Code.OK.intValue()) {
                done.complete(null);
              } else {
                done.completeExceptionally(
                    KeeperException.create(KeeperException.Code.get(code), its));
              }
            },
            null);
    done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
