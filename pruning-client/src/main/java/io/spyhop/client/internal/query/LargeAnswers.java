package io.spyhop.client.internal.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Remembers for some seconds which conditions had large answers, by their columns and the part of
 * the columns' keys that they let pass: one that lets pass as much is expected to have one, too.
 * Thread-safe.
 */
final class LargeAnswers {
  private static final Duration AGE = Duration.ofSeconds(10);
  private static final int MOST = 1_000;
  private static final BigInteger LAST = BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE);

  /** The logarithm, of base 2, of the part of the least large condition. */
  private final Cache<List<BoundColumn>, Double> parts;

  /**
   * @param ticker nanoseconds
   */
  LargeAnswers(Ticker ticker) {
    this.parts =
        Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(AGE).ticker(ticker).build();
  }

  /** A condition had one. */
  void add(BoundPredicate predicate) {
    parts.asMap().merge(predicate.columns(), part(predicate), Math::min);
  }

  /** Whether one is expected; not if less than half as much passes as of one that was large. */
  boolean isExpected(BoundPredicate predicate) {
    Double large = parts.getIfPresent(predicate.columns());
    return large != null && part(predicate) > large - 1;
  }

  private static double part(BoundPredicate predicate) {
    double sum = 0;
    for (int i = 0; i < predicate.columns().size(); i++) {
      sum += predicate.canDrive(i) ? part(predicate.keyRanges(i)) : 0;
    }
    return sum;
  }

  /** By the first bytes of the keys, which are in the order of values. */
  private static double part(KeyRanges keys) {
    double sum = 0;
    for (KeyRange range : keys.ranges()) {
      BigInteger first = range.lower() == null ? BigInteger.ZERO : number(range.lower());
      BigInteger last = range.upper() == null ? LAST : number(range.upper());
      sum += 1 + last.subtract(first).doubleValue();
    }
    return Math.log(Math.max(1, sum)) / Math.log(2) - Long.SIZE;
  }

  private static BigInteger number(ValueKey key) {
    return new BigInteger(1, Arrays.copyOf(key.bytes(), Long.BYTES));
  }
}
