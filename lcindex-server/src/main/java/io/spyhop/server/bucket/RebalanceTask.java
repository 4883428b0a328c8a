package io.spyhop.server.bucket;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.RebalanceState;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * One rebalance of one table while a master has it. It ends with its table: what is noted later is
 * refused, so that nothing of it meets another table of that name. Thread-safe.
 */
final class RebalanceTask implements RebalanceRun.Noting {
  private final RebalanceJournal journal;
  private final IoConsumer<String> watch;

  /** Open until the rebalance is to end sooner than it would. */
  private final CountDownLatch ending = new CountDownLatch(1);

  private volatile RebalanceState state;
  private volatile boolean begun;
  private volatile boolean gone;
  private volatile Optional<RebalanceRun.Ending> stopped = Optional.empty();

  RebalanceTask(RebalanceJournal journal, IoConsumer<String> watch, RebalanceState state) {
    this.journal = journal;
    this.watch = watch;
    this.state = state;
  }

  /** How far it is. */
  RebalanceState state() {
    return state;
  }

  /** A thread takes it up; false if it has ended meanwhile. */
  synchronized boolean begin() {
    begun = !gone && state.phase().isOpen();
    return begun;
  }

  /** Whether a thread is at it, and not at other tables first. */
  boolean hasBegun() {
    return begun;
  }

  /** The table is gone, and what was noted of it. Buckets of one that comes are not its. */
  @Override
  public synchronized void forget() throws IOException {
    gone = true;
    ending.countDown();
    journal.forget(state.request().table());
  }

  /** It ends as soon as no bucket is amid its move. */
  synchronized void stop(RebalanceRun.Ending how) throws IOException {
    if (!gone && state.phase().isOpen()) {
      stopped = Optional.of(stopped.orElse(how));
      ending.countDown();
      if (!begun) {
        note(how.of(state));
      }
    }
  }

  @Override
  public synchronized void note(RebalanceState next) throws IOException {
    if (gone) {
      throw new IOException("table '" + next.request().table() + "' is gone");
    }
    journal.write(next);
    state = next;
  }

  @Override
  public void done(String step) throws IOException {
    watch.accept(step);
  }

  @Override
  public boolean isGone() {
    return gone;
  }

  @Override
  public Optional<RebalanceRun.Ending> stopped() {
    return stopped;
  }

  @Override
  public CountDownLatch ending() {
    return ending;
  }
}
