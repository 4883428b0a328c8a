package io.spyhop.client;

import io.spyhop.client.internal.admin.Poll;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.protocol.ServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rebalance that the master runs, watched until it has ended. Not thread-safe. */
final class MasterRebalance {
  private static final Logger LOG = LoggerFactory.getLogger(MasterRebalance.class);

  /** How long it is not known how far it is before that is an error: masters change. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration STEP = Duration.ofMillis(200);

  private final Admin admin;
  private final Poll poll;
  private final RebalanceRequest request;
  private final List<Move<ServerName>> told = new ArrayList<>();

  /**
   * @param admin stays the caller's
   * @param request with an id of its own
   */
  MasterRebalance(Admin admin, Poll poll, RebalanceRequest request) {
    this.admin = admin;
    this.poll = poll;
    this.request = request;
  }

  /**
   * Has it run.
   *
   * @param moving is told of each bucket that moves
   * @return what was moved
   * @throws DoNotRetryIOException if the master refuses it, or knows of no rebalances
   * @throws IOException if it was given up; what was moved stays
   */
  List<Move<ServerName>> run(Consumer<Move<ServerName>> moving) throws IOException {
    begin();
    RebalanceState state;
    do {
      Looked now = poll.until(PATIENCE, STEP, this::look, this::isNews);
      if (!now.answered) {
        throw new IOException(
            on() + "the master does not tell how far the rebalance is; it may go on by itself");
      }
      state =
          now.state.orElseThrow(
              () -> new IOException(on() + "the table is gone, or another rebalance began since"));
      tell(state, moving);
    } while (state.phase().isOpen());
    if (state.phase() == Phase.ABORTED) {
      throw new IOException(
          on()
              + "the rebalance was given up after "
              + state.moves().size()
              + " moves: "
              + state.note());
    }
    return state.moves().stream().map(Moved::move).toList();
  }

  private String on() {
    return "table '" + request.table() + "': ";
  }

  /**
   * The master's answer about this rebalance.
   *
   * @param state empty if it is not this rebalance that was noted last
   * @param answered whether there was an answer
   */
  private record Looked(Optional<RebalanceState> state, boolean answered) {}

  private boolean isNews(Looked look) {
    return look.answered
        && (look.state.isEmpty()
            || !look.state.get().phase().isOpen()
            || look.state.get().moves().size() > told.size());
  }

  private void begin() throws IOException {
    try {
      ServerCalls.ask(admin.coprocessorService(), ServerCalls.REBALANCE_QUESTION, request.encode());
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains(ServerCalls.UNKNOWN_QUESTION)) {
        throw new DoNotRetryIOException(
            "master "
                + admin.getMaster()
                + " runs a version of Spyhop that does not know of rebalances: upgrade it first",
            e);
      }
      throw refused(e);
    }
  }

  /** The master's own words, if it refused. */
  private static IOException refused(IOException e) {
    return Refusals.find(e, DoNotRetryIOException.class).<IOException>map(found -> found).orElse(e);
  }

  private Looked look() throws IOException {
    try {
      byte[] answer =
          ServerCalls.ask(
              admin.coprocessorService(), ServerCalls.REBALANCE_STATE_QUESTION, request.encode());
      return new Looked(
          answer.length == 0 ? Optional.empty() : Optional.of(RebalanceState.decode(answer)), true);
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.info("The master does not tell how far the rebalance of {} is", request.table(), e);
      return new Looked(Optional.empty(), false);
    }
  }

  private void tell(RebalanceState state, Consumer<Move<ServerName>> moving) {
    List<Moved> moves = state.moves();
    for (int i = told.size(); i < moves.size(); i++) {
      told.add(moves.get(i).move());
      moving.accept(moves.get(i).move());
    }
  }
}
