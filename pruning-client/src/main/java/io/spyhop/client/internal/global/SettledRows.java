package io.spyhop.client.internal.global;

import io.spyhop.client.internal.global.IndexAttempts.Try;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * The rows of one value's entries, which are in the order of their rows: each is handed out when no
 * entry that was not read can lead to a row before it, and more entries are read when more rows are
 * wanted. Not thread-safe.
 */
final class SettledRows implements RowKeys {
  private final EntryReading reading;
  private final IndexAttempts attempts;
  private final Weighing weighing;
  private final long most;
  private final Duration limit;
  private byte[] last;

  /**
   * @param most entries that may be read
   * @param limit of the time that reading the entries may take
   */
  SettledRows(
      EntryReading reading, IndexAttempts attempts, Weighing weighing, long most, Duration limit) {
    this.reading = reading;
    this.attempts = attempts;
    this.weighing = weighing;
    this.most = most;
    this.limit = limit;
  }

  @Override
  public byte[] next() throws IOException {
    while (!isAtHand() && !reading.isWhole()) {
      readOn();
    }
    byte[] next = following();
    last = next == null ? last : next;
    return next;
  }

  @Override
  public boolean isAtHand() {
    byte[] next = following();
    return next != null && reading.isSettled(next);
  }

  private byte[] following() {
    return last == null ? first() : reading.rows().higherKey(last);
  }

  private byte[] first() {
    Map.Entry<byte[], ?> first = reading.rows().firstEntry();
    return first == null ? null : first.getKey();
  }

  /** Twice as many entries as were read so far. */
  private void readOn() throws IOException {
    if (reading.isFull() || reading.read() > most || !weighing.isWorthSoFar(reading.rows())) {
      throw new DearerException(
          "the rest after " + reading.read() + " entries is cheaper in another way");
    }
    long next = Math.min(most, 2 * reading.read());
    Try<EntryReading> more =
        attempts.attempt(reading.index(), reading.left(limit), () -> Try.of(reading.upTo(next)));
    if (more.value().isEmpty()) {
      throw new IOException("global index '" + reading.index().name() + "' " + more.why());
    }
  }
}
