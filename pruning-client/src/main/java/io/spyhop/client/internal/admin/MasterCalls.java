package io.spyhop.client.internal.admin;

import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.ServerCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Questions to the master about rebalances of bucketed tables. Each may fail while masters change.
 */
public final class MasterCalls {
  private final Admin admin;

  /**
   * @param admin stays the caller's
   */
  public MasterCalls(Admin admin) {
    this.admin = admin;
  }

  /** Begins one, unless one with its id has begun. */
  public void begin(RebalanceRequest request) throws IOException {
    ask(Question.REBALANCE, request.encode());
  }

  /** What it would move. */
  public RebalancePlan plan(RebalanceRequest request) throws IOException {
    return RebalancePlan.decode(ask(Question.REBALANCE_PLAN, request.encode()));
  }

  /** How far the last of a table is; empty if there was none. */
  public Optional<RebalanceState> last(TableName table) throws IOException {
    byte[] name = table.getNameAsString().getBytes(StandardCharsets.UTF_8);
    return told(ask(Question.REBALANCE_LAST, name));
  }

  /** How far it is; empty if it is not the last of its table. */
  public Optional<RebalanceState> state(RebalanceRequest request) throws IOException {
    return told(ask(Question.REBALANCE_STATE, request.encode()));
  }

  /** Stops it before its next bucket moves, and says how far it is, as {@link #state}. */
  public Optional<RebalanceState> stop(RebalanceRequest request) throws IOException {
    return told(ask(Question.REBALANCE_STOP, request.encode()));
  }

  private static Optional<RebalanceState> told(byte[] answer) throws IOException {
    return answer.length == 0 ? Optional.empty() : Optional.of(RebalanceState.decode(answer));
  }

  private byte[] ask(Question question, byte[] payload) throws IOException {
    try {
      return ServerCalls.ask(admin.coprocessorService(), question, payload);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains(ServerCalls.UNKNOWN_QUESTION)) {
        throw new DoNotRetryIOException(
            "master "
                + admin.getMaster()
                + " runs a version of Spyhop that does not know '"
                + question
                + "': upgrade it first",
            e);
      }
      throw refused(e);
    }
  }

  /** The master's own words, if it refused. */
  private static IOException refused(IOException e) {
    return Refusals.find(e, DoNotRetryIOException.class).<IOException>map(found -> found).orElse(e);
  }
}
