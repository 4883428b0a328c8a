package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks indexes something, within a time; one that does not answer is left alone for a while.
 * Thread-safe.
 */
public final class IndexAttempts {
  /** How long an index that did not answer is left alone. */
  private static final Duration REST = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(IndexAttempts.class);

  private final IndexCalls calls;
  private final ScanPool pool;

  /** Until when indexes are left alone, by incarnation. */
  private final Map<Long, Long> resting = new ConcurrentHashMap<>();

  /** When their tables' regions were last forgotten, by incarnation. */
  private final Map<Long, Long> forgotten = new ConcurrentHashMap<>();

  /** Attempts in threads of a pool. */
  public IndexAttempts(IndexCalls calls, ScanPool pool) {
    this.calls = calls;
    this.pool = pool;
  }

  /** The answer of one index, or the reason why there is none. */
  record Try<T>(Optional<T> value, String why) {
    static <T> Try<T> of(T value) {
      return new Try<>(Optional.of(value), "");
    }

    static <T> Try<T> not(String why) {
      return new Try<>(Optional.empty(), why);
    }
  }

  /**
   * Asks an index; what goes wrong is the reason not to use it.
   *
   * @throws IOException only if the thread was interrupted
   */
  <T> Try<T> attempt(IndexDefinition index, Duration within, IoSupplier<Try<T>> call)
      throws IOException {
    Long until = resting.get(index.incarnation());
    if (until != null && until - System.nanoTime() > 0) {
      return Try.not("did not answer a moment ago");
    }
    try {
      return Bounded.call(pool, within, call, () -> forgetRegions(index));
    } catch (TableNotFoundException e) {
      LOG.debug("Index {} has no table", index, e);
      return Try.not("has no table: rebuild it");
    } catch (IOException | RuntimeException e) {
      Bounded.requireNotInterrupted(e);
      LOG.debug("Index {} cannot be used now", index, e);
      if (!Refusals.isRefusal(e)) {
        resting.put(index.incarnation(), System.nanoTime() + REST.toNanos());
      }
      return Try.not("cannot be used: " + Refusals.text(e));
    }
  }

  /** At most once in a while: an index that is slow is not where regions are looked up. */
  private void forgetRegions(IndexDefinition index) throws IOException {
    long now = System.nanoTime();
    Long last = forgotten.get(index.incarnation());
    if (last == null || now - last > REST.toNanos()) {
      forgotten.put(index.incarnation(), now);
      calls.forgetRegions(index);
    }
  }
}
