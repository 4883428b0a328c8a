package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.Question.Place;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.ServerHealth;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.bucket.Rebalances;
import io.spyhop.server.ddl.GlobalIndexDdl;
import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.local.remote.FileServer;
import io.spyhop.server.runtime.ServerRuntime;
import java.io.IOException;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcServer;

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
    return AnswerService.of(
        EnumSet.of(Place.SERVER, Place.MASTER),
        (question, payload, protocol) ->
            switch (question) {
              case CREATE, DROP, REBUILD ->
                  required(ddl.get()).answer(question, payload, RpcServer.getRequestUser());
              case ORPHANS -> required(ddl.get()).orphans(RpcServer.getRequestUser());
              case DROP_ORPHAN ->
                  required(ddl.get()).dropOrphan(payload, RpcServer.getRequestUser());
              case REBALANCE, REBALANCE_STATE, REBALANCE_PLAN, REBALANCE_STOP, REBALANCE_LAST ->
                  new RebalanceService(required(ddl.get()), required(rebalances.get()))
                      .answer(question, payload);
              case HEALTH -> health(ddl.get()).encode();
              case VERSION -> ServerCalls.version(protocol);
              default -> throw ServerCalls.unknown(question.text());
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
    return AnswerService.of(
        EnumSet.of(Place.SERVER, Place.REGION_SERVER),
        (question, payload, protocol) -> {
          if (question == Question.HEALTH) {
            return health.get().encode();
          }
          ServerRuntime started = runtime.get();
          if (started == null) {
            throw new DoNotRetryIOException(
                "Spyhop could not be started here: see the server's log");
          }
          return switch (question) {
            case JOBS -> JobRecord.encode(started.endedJobs());
            case SLOW_QUERIES -> slowQueries.get();
            case REPAIRS -> DecimalNumber.encode(globals.get().unfinished());
            case FILES, CHUNK -> files.get().answer(question, payload);
            case RECEIVE, SHIPMENT, HOLD -> handovers.answer(question, Handover.decode(payload));
            case VERSION -> ServerCalls.version(protocol);
            default -> throw ServerCalls.unknown(question.text());
          };
        });
  }

  /** Hands regions over. */
  @FunctionalInterface
  interface Handovers {
    byte[] answer(Question question, Handover region) throws IOException;
  }
}
