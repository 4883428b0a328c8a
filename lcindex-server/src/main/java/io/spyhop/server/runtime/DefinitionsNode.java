package io.spyhop.server.runtime;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.zookeeper.ZKListener;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node in ZooKeeper by which the master tells all servers that the index definitions of a table
 * have changed. It has the name of the table that changed last, and its version counts the changes
 * ({@code docs/formats/definitions-node.md}). Thread-safe.
 */
public final class DefinitionsNode extends ZKListener {
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionsNode.class);
  private static final String NAME = "spyhop-definitions";

  private final String path;
  private final Executor executor;
  private final Consumer<Optional<TableName>> changed;

  /** The node as it was seen last; null if there was none. Guarded by this. */
  private Stat seen;

  /** Whether the node could not be looked at, so that it may not be watched. */
  private volatile boolean blind;

  private DefinitionsNode(ZKWatcher zk, Executor executor, Consumer<Optional<TableName>> changed) {
    super(zk);
    this.path = path(zk);
    this.executor = executor;
    this.changed = changed;
  }

  private static String path(ZKWatcher zk) {
    return ZNodePaths.joinZNode(zk.getZNodePaths().baseZNode, NAME);
  }

  /**
   * Tells all servers.
   *
   * @throws IOException if ZooKeeper cannot be told; they find out by themselves after a while
   */
  public static void tell(ZKWatcher zk, TableName table) throws IOException {
    try {
      ZKUtil.createSetData(zk, path(zk), new ChangedDefinitions(table).encode());
    } catch (KeeperException e) {
      throw new IOException("cannot tell servers that definitions of " + table + " changed", e);
    }
  }

  /**
   * Begins to watch.
   *
   * @param executor asks ZooKeeper and tells of changes
   * @param changed is told of each change, or once of several; empty if it is not known which table
   *     has changed
   */
  public static DefinitionsNode watch(
      ZKWatcher zk, Executor executor, Consumer<Optional<TableName>> changed) {
    DefinitionsNode node = new DefinitionsNode(zk, executor, changed);
    zk.registerListener(node);
    executor.execute(() -> node.look(Occasion.FIRST));
    return node;
  }

  /** Looks again if that failed before; to be called now and then. */
  public void lookIfBlind() {
    if (blind) {
      look(Occasion.AGAIN);
    }
  }

  @Override
  public void nodeCreated(String node) {
    lookIfOurs(node);
  }

  @Override
  public void nodeDeleted(String node) {
    lookIfOurs(node);
  }

  @Override
  public void nodeDataChanged(String node) {
    lookIfOurs(node);
  }

  private void lookIfOurs(String node) {
    if (node.equals(path)) {
      executor.execute(() -> look(Occasion.EVENT));
    }
  }

  /** Reasons for a look. */
  private enum Occasion {
    /** Regions know what was before. */
    FIRST,
    /** Something has happened to the node. */
    EVENT,
    /** Nobody knows what has happened since the last look. */
    AGAIN
  }

  /** Looks for changes, and is told of the next one. */
  private synchronized void look(Occasion why) {
    try {
      Stat now = new Stat();
      byte[] data =
          ZKUtil.watchAndCheckExists(watcher, path)
              ? ZKUtil.getDataAndWatch(watcher, path, now)
              : null;
      Stat before = seen;
      seen = data == null ? null : now;
      boolean told = why == Occasion.EVENT && isNext(before);
      blind = false;
      if (told) {
        changed.accept(table(data));
      } else if (why == Occasion.AGAIN || why == Occasion.EVENT && !isSame(before)) {
        changed.accept(Optional.empty());
      }
    } catch (KeeperException | RuntimeException e) {
      if (!blind) {
        LOG.warn("Changes of index definitions are seen late: {} cannot be watched", path, e);
      }
      blind = true;
    }
  }

  /** Whether it has been written once since; nodes that were deleted meanwhile begin anew. */
  private boolean isNext(Stat before) {
    if (seen == null) {
      return false;
    }
    return before == null
        ? seen.getVersion() == 0
        : seen.getCzxid() == before.getCzxid() && seen.getVersion() == before.getVersion() + 1;
  }

  /** Whether it was not written since; where it is gone, it may have been. */
  private boolean isSame(Stat before) {
    return seen != null && before != null && seen.getMzxid() == before.getMzxid();
  }

  /** Empty if it is written as later versions may do. */
  private static Optional<TableName> table(byte[] data) {
    try {
      return Optional.of(ChangedDefinitions.decode(data).table());
    } catch (CorruptFrameException e) {
      LOG.debug("{} names no table", NAME, e);
      return Optional.empty();
    }
  }
}
