package io.spyhop.server.index.global;

import io.spyhop.core.protocol.ServerCalls;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.BalancedQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;

/**
 * Serves the servers' writes to index tables with handlers of their own, everything else as HBase
 * does.
 *
 * <p>A write to a base table waits, in a handler, for the write to its index table. If both needed
 * a handler of the same pool, servers that index each other's tables would wait for each other; and
 * in the pool of hbase:meta, index writes that wait for memory would stop the cluster (correctness
 * rule 15). Handlers of this pool never call another server: an index table has no indexes.
 *
 * <p>A call's priority and method are its sender's word. Others' calls go to HBase's pools whatever
 * they say, or a client with many slow ones could keep the handlers from the servers.
 */
public final class IndexRpcScheduler extends DelegatingRpcScheduler {
  private final BalancedQueueRpcExecutor executor;
  private final Predicate<String> servers;
  private int port;

  /**
   * @param servers whether servers run as the user of that short name; asked for each such call by
   *     the thread that reads calls, so it must not wait for anybody
   */
  public IndexRpcScheduler(
      RpcScheduler others,
      Predicate<String> servers,
      int handlers,
      int queueLength,
      Configuration conf,
      PriorityFunction priority,
      Abortable server) {
    super(others);
    this.servers = servers;
    this.executor =
        new BalancedQueueRpcExecutor("spyhop.Index", handlers, queueLength, priority, conf, server);
  }

  @Override
  public void init(Context context) {
    super.init(context);
    port = context.getListenerAddress().getPort();
  }

  @Override
  public void start() {
    super.start();
    executor.start(port);
  }

  @Override
  public void stop() {
    super.stop();
    executor.stop();
  }

  @Override
  public boolean dispatch(CallRunner call) {
    return isServersIndexWrite(call.getRpcCall()) ? executor.dispatch(call) : super.dispatch(call);
  }

  /** How many of a server's handlers for writes to index tables work; 0 if it has none. */
  static int busy(RpcScheduler ofServer) {
    return ofServer instanceof IndexRpcScheduler own ? own.executor.getActiveHandlerCount() : 0;
  }

  /** How many writes to index tables wait for these handlers; 0 if a server has none. */
  static int waiting(RpcScheduler ofServer) {
    return ofServer instanceof IndexRpcScheduler own ? own.executor.getQueueLength() : 0;
  }

  /** Whether a call is for these handlers. */
  boolean isServersIndexWrite(RpcCall call) {
    return isIndexWrite(call)
        && call.getRequestUser().map(User::getShortName).filter(servers).isPresent();
  }

  private static boolean isIndexWrite(RpcCall call) {
    return call.getPriority() == IndexWriter.PRIORITY
        || (call.getParam() instanceof CoprocessorServiceRequest request
            && ServerCalls.isWrite(
                request.getCall().getServiceName(), request.getCall().getMethodName()));
  }
}
