package io.spyhop.server.bucket;

import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/** The call that this thread serves. Stateless. */
final class Calls {
  private Calls() {}

  /**
   * Whether all that a client's call writes is for itself, so that one operation may fail while
   * others are done. HBase's hook is not told whether a batch is atomic, and an atomic one does not
   * look which of its operations have failed.
   *
   * @return false where that is not known: of writes by programs on the server, say
   */
  static boolean isOfSingleOperations() {
    return RpcServer.getCurrentCall()
        .map(RpcCall::getParam)
        .flatMap(p -> p instanceof MultiRequest multi ? Optional.of(multi) : Optional.empty())
        .filter(multi -> multi.getRegionActionList().stream().noneMatch(Calls::isAtomic))
        .isPresent();
  }

  private static boolean isAtomic(RegionAction action) {
    return action.getAtomic() || action.hasCondition();
  }
}
