package io.spyhop.server.global;

import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.server.index.global.GlobalSettings;
import io.spyhop.server.index.global.IndexRpcScheduler;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.RpcSchedulerFactory;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.apache.hadoop.hbase.security.Superusers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a region server handlers for writes to index tables beside HBase's own. Configured in
 * {@code hbase.region.server.rpc.scheduler.factory.class}; {@code spyhop.global.handlers} says how
 * many. Stateless.
 */
public final class SpyhopRpcSchedulerFactory implements RpcSchedulerFactory {
  /** The property of hbase-site.xml that this class belongs into. */
  public static final String KEY = "hbase.region.server.rpc.scheduler.factory.class";

  private static final int QUEUE_PER_HANDLER = 20;

  /** So many of HBase's handlers, all with writes of indexed columns, keep one of ours busy. */
  private static final int SERVED_BY_ONE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(SpyhopRpcSchedulerFactory.class);

  /** Says so in the log if a server does not have it. */
  public static void warnUnlessSet(Configuration conf) {
    String name = SpyhopRpcSchedulerFactory.class.getName();
    if (!name.equals(conf.get(KEY))) {
      LOG.warn(
          "Writes to index tables share HBase's handlers; for global indexes set {} to {}",
          KEY,
          name);
    }
  }

  /** What is wrong with a server's handlers. */
  public static Optional<Trouble> trouble(Configuration conf) {
    String name = SpyhopRpcSchedulerFactory.class.getName();
    if (!name.equals(conf.get(KEY))) {
      return Optional.of(
          new Trouble(
              "writes to index tables share HBase's handlers, and servers can wait for each other",
              "set " + KEY + " to " + name + " and restart the server"));
    }
    int writers = GlobalSettings.ofHBase(conf);
    int handlers = GlobalSettings.handlers(conf);
    int needed = writers / SERVED_BY_ONE;
    if (handlers >= needed) {
      return Optional.empty();
    }
    return Optional.of(
        new Trouble(
            handlers
                + " handlers for writes to index tables are few beside "
                + writers
                + " handlers whose writes wait for them",
            "set "
                + GlobalSettings.HANDLERS
                + " to "
                + needed
                + " or more and restart the server"));
  }

  @Override
  public RpcScheduler create(Configuration conf, PriorityFunction priority, Abortable server) {
    RpcScheduler others = new SimpleRpcSchedulerFactory().create(conf, priority, server);
    int handlers = GlobalSettings.handlers(conf);
    return new IndexRpcScheduler(
        others,
        SpyhopRpcSchedulerFactory::isServers,
        handlers,
        handlers * QUEUE_PER_HANDLER,
        conf,
        priority,
        server);
  }

  /**
   * Whether servers run as a user: as this one does, or as a superuser that is named by itself. A
   * superuser by a group is not meant: to learn a user's groups takes time.
   */
  private static boolean isServers(String user) {
    Collection<String> named = Superusers.getSuperUsers();
    return named != null && named.contains(user);
  }

  @Override
  @Deprecated
  public RpcScheduler create(Configuration conf, PriorityFunction priority) {
    return create(conf, priority, null);
  }
}
