package io.spyhop.server.hook;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.server.bucket.Rebalances;
import io.spyhop.server.ddl.GlobalIndexDdl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcServer;

/** Answers a master's questions about rebalances, for callers who may change the table. */
record RebalanceService(GlobalIndexDdl ddl, Rebalances rebalances) {
  byte[] answer(Question question, byte[] payload) throws IOException {
    if (question == Question.REBALANCE_LAST) {
      TableName table = table(payload);
      requireChange(table, "see the rebalances of");
      return encoded(rebalances.state(table));
    }
    RebalanceRequest asked = RebalanceRequest.decode(payload);
    requireChange(asked.table(), "rebalance");
    return switch (question) {
      case REBALANCE_PLAN -> rebalances.plan(asked).encode();
      case REBALANCE_STOP -> encoded(rebalances.stop(asked, user()));
      case REBALANCE -> rebalances.begin(asked, user()).encode();
      default -> encoded(rebalances.state(asked));
    };
  }

  private void requireChange(TableName table, String what) throws IOException {
    ddl.requireChange(RpcServer.getRequestUser(), table, what);
  }

  private static String user() {
    return RpcServer.getRequestUserName().orElse("(none)");
  }

  private static byte[] encoded(Optional<RebalanceState> state) {
    return state.map(RebalanceState::encode).orElse(new byte[0]);
  }

  private static TableName table(byte[] name) throws DoNotRetryIOException {
    try {
      return TableName.valueOf(new String(name, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("Spyhop: this is no table's name: " + e.getMessage(), e);
    }
  }
}
