package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException;

/**
 * The region servers that are registered in ZooKeeper. A member of its ensemble may be seconds
 * behind the one that the master asks, so it has to catch up before it is asked. Thread-safe.
 */
public final class RegisteredServers implements IoSupplier<List<String>> {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Member member;
  private final Duration patience;

  /** The member of ZooKeeper's ensemble that the server is connected to. */
  interface Member {
    /** Has it catch up with the others. */
    void sync(AsyncCallback.VoidCallback done) throws KeeperException;

    /** What it has as the names of the region servers; null if it has no place for them. */
    List<String> servers() throws KeeperException;
  }

  /** Asks over the server's own connection. */
  public RegisteredServers(ZKWatcher zooKeeper) {
    this(member(zooKeeper), PATIENCE);
  }

  RegisteredServers(Member member, Duration patience) {
    this.member = member;
    this.patience = patience;
  }

  private static Member member(ZKWatcher zooKeeper) {
    return new Member() {
      @Override
      public void sync(AsyncCallback.VoidCallback done) throws KeeperException {
        zooKeeper.getRecoverableZooKeeper().sync(path(), done, null);
      }

      @Override
      public List<String> servers() throws KeeperException {
        return ZKUtil.listChildrenNoWatch(zooKeeper, path());
      }

      private String path() {
        return zooKeeper.getZNodePaths().rsZNode;
      }
    };
  }

  @Override
  public List<String> get() throws IOException {
    try {
      catchUp();
      List<String> names = member.servers();
      return names == null ? List.of() : names;
    } catch (KeeperException | ExecutionException | TimeoutException e) {
      throw new IOException("ZooKeeper does not say which region servers live", e);
    } catch (InterruptedException e) {
      throw Interruption.of("asking who lives", e);
    }
  }

  private void catchUp()
      throws KeeperException, ExecutionException, TimeoutException, InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    member.sync(
        (code, path, context) -> {
          if (code == KeeperException.Code.OK.intValue()) {
            done.complete(null);
          } else {
            done.completeExceptionally(new IOException("sync of " + path + ": code " + code));
          }
        });
    done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
