package io.spyhop.client;

import io.spyhop.client.internal.admin.MasterCalls;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import io.spyhop.core.protocol.RebalanceState.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rebalance that the master runs, watched until it has ended. Not thread-safe. */
final class MasterRebalance {
  private static final Logger LOG = LoggerFactory.getLogger(MasterRebalance.class);

  /** How long it is not known how far it is before that is an error: masters change. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration STEP = Duration.ofMillis(200);

  private final MasterCalls master;
  private final Poll poll;
  private final RebalanceRequest request;
  private final List<Move<ServerName>> told = new ArrayList<>();

  /**
   * @param request with the rebalance's id
   */
  MasterRebalance(MasterCalls master, Poll poll, RebalanceRequest request) {
    this.master = master;
    this.poll = poll;
    this.request = request;
  }

  /**
   * Waits until it has ended.
   *
   * @param moving is told of each bucket that moves
   * @return what was moved
   * @throws IOException if it was given up or stopped; what was moved stays
   */
  List<Move<ServerName>> follow(Consumer<Move<ServerName>> moving) throws IOException {
    RebalanceState state;
    do {
      state = look(() -> master.state(request), this::isNews);
      tell(state, moving);
    } while (state.phase().isOpen());
    if (state.phase() != Phase.DONE) {
      throw new IOException(
          on()
              + "the rebalance was "
              + (state.phase() == Phase.STOPPED ? "stopped" : "given up")
              + " after "
              + state.moved()
              + " moves: "
              + state.note());
    }
    return state.moves().stream().map(Moved::move).toList();
  }

  /**
   * Has it stop, and waits for that. Each master is asked: one that takes over does not know.
   *
   * @return how it ended
   */
  RebalanceState stop() throws IOException {
    RebalanceState state;
    do {
      state = look(() -> master.stop(request), s -> !s.phase().isOpen());
    } while (state.phase().isOpen());
    return state;
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

  private boolean isNews(RebalanceState state) {
    return !state.phase().isOpen() || state.moves().size() > told.size();
  }

  private RebalanceState look(
      IoSupplier<Optional<RebalanceState>> question, Predicate<RebalanceState> willDo)
      throws IOException {
    Looked now =
        poll.until(
            PATIENCE,
            STEP,
            () -> ask(question),
            look -> look.answered && look.state.map(willDo::test).orElse(true));
    if (!now.answered) {
      throw new IOException(
          on() + "the master does not tell how far the rebalance is; it may go on by itself");
    }
    return now.state.orElseThrow(
        () -> new IOException(on() + "the table is gone, or another rebalance began since"));
  }

  private Looked ask(IoSupplier<Optional<RebalanceState>> question) throws IOException {
    try {
      return new Looked(question.get(), true);
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
