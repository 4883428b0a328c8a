package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.ServerHealth;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.bucket.Rebalances;
import io.spyhop.server.ddl.GlobalIndexDdl;
import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.local.remote.FileServer;
import io.spyhop.server.runtime.ServerRuntime;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;

/** Answers the questions of {@link ServerCalls} on a server. Stateless; thread-safe. */
final class ServerService {
  private ServerService() {}

  /**
   * What a master answers: its version, how it is, requests for global indexes, and for rebalances.
   *
   * @param ddl gives null where they could not be started
   * @param rebalances the same
   */
  static Iterable<Service> ofMaster(Supplier<GlobalIndexDdl> ddl, Supplier<Rebalances> rebalances) {
    return service(
        (question, payload, protocol) ->
            switch (question) {
              case ServerCalls.CREATE_QUESTION,
                      ServerCalls.DROP_QUESTION,
                      ServerCalls.REBUILD_QUESTION ->
                  required(ddl.get()).answer(question, payload, RpcServer.getRequestUser());
              case ServerCalls.ORPHANS_QUESTION ->
                  required(ddl.get()).orphans(RpcServer.getRequestUser());
              case ServerCalls.DROP_ORPHAN_QUESTION ->
                  required(ddl.get()).dropOrphan(payload, RpcServer.getRequestUser());
              case ServerCalls.REBALANCE_QUESTION,
                      ServerCalls.REBALANCE_STATE_QUESTION,
                      ServerCalls.REBALANCE_PLAN_QUESTION,
                      ServerCalls.REBALANCE_STOP_QUESTION,
                      ServerCalls.REBALANCE_LAST_QUESTION ->
                  new RebalanceService(required(ddl.get()), required(rebalances.get()))
                      .answer(question, payload);
              case ServerCalls.HEALTH_QUESTION -> health(ddl.get()).encode();
              default -> version(question, protocol);
            });
  }

  private static ServerHealth health(GlobalIndexDdl started) throws IOException {
    return started == null ? SelfCheck.ofIdle() : SelfCheck.of(started);
  }

  private static <T> T required(T started) throws IOException {
    if (started == null) {
      throw new DoNotRetryIOException(
          "Spyhop could not be started on this master: see the master's log");
    }
    return started;
  }

  /**
   * What a region server answers; nothing if Spyhop could not be started there.
   *
   * @param runtime gives null until the server has started
   * @param health of the server, which it tells also without
   * @param slowQueries those that the caller may be told of, encoded
   * @param handovers hands regions over, when the server has started
   */
  static Iterable<Service> of(
      Supplier<ServerRuntime> runtime,
      Supplier<FileServer> files,
      Supplier<GlobalService> globals,
      IoSupplier<ServerHealth> health,
      Supplier<byte[]> slowQueries,
      Handovers handovers) {
    return service(
        (question, payload, protocol) -> {
          if (question.equals(ServerCalls.HEALTH_QUESTION)) {
            return health.get().encode();
          }
          ServerRuntime started = runtime.get();
          if (started == null) {
            throw new DoNotRetryIOException(
                "Spyhop could not be started here: see the server's log");
          }
          return switch (question) {
            case ServerCalls.JOBS_QUESTION -> JobRecord.encode(started.endedJobs());
            case ServerCalls.SLOW_QUERIES_QUESTION -> slowQueries.get();
            case ServerCalls.REPAIRS_QUESTION -> DecimalNumber.encode(globals.get().unfinished());
            case ServerCalls.FILES_QUESTION, ServerCalls.CHUNK_QUESTION -> {
              requireServer("index files");
              yield files.get().answer(question, payload);
            }
            case ServerCalls.RECEIVE_QUESTION,
                ServerCalls.SHIPMENT_QUESTION,
                ServerCalls.HOLD_QUESTION -> {
              requireServer("regions that are moved");
              yield handovers.answer(question, Handover.decode(payload));
            }
            default -> version(question, protocol);
          };
        });
  }

  /** Hands regions over. */
  @FunctionalInterface
  interface Handovers {
    byte[] answer(String question, Handover region) throws IOException;
  }

  private static Iterable<Service> service(ServerCalls.Answerer answerer) {
    return List.of(ServerCalls.service(answerer, CoprocessorRpcUtils::setControllerException));
  }

  private static byte[] version(String question, int protocol) throws DoNotRetryIOException {
    if (!question.equals(ServerCalls.VERSION_QUESTION)) {
      throw new DoNotRetryIOException(ServerCalls.UNKNOWN_QUESTION + " '" + question + "'");
    }
    return ServerCalls.version(protocol);
  }

  /** Whether the servers' own user asks, or another superuser. */
  static boolean isServer() {
    return RpcServer.getRequestUser().filter(Superusers::isSuperUser).isPresent();
  }

  /**
   * Some questions are for the servers' own user alone: index files, say, hold whole rows.
   *
   * @param what what they are about, for the message
   */
  static void requireServer(String what) throws IOException {
    User user = RpcServer.getRequestUser().orElse(null);
    if (!isServer()) {
      throw new AccessDeniedException(
          "Spyhop: "
              + what
              + " are for region servers, not for user "
              + (user == null ? "(none)" : user.getShortName()));
    }
  }
}
