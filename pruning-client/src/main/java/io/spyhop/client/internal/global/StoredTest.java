package io.spyhop.client.internal.global;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import java.util.Arrays;

/**
 * A condition on stored values: which keys they may have, and whether a value satisfies it.
 * Immutable, thread-safe.
 */
public final class StoredTest {
  private final KeyRanges keys;
  private final boolean unkeyable;
  private final Judge judge;

  /** Tests whether stored bytes satisfy a condition. */
  @FunctionalInterface
  private interface Judge {
    boolean passes(byte[] b, int off, int len);
  }

  private StoredTest(KeyRanges keys, boolean unkeyable, Judge judge) {
    this.keys = keys;
    this.unkeyable = unkeyable;
    this.judge = judge;
  }

  /** Values that compare as equal to an operand. */
  public static StoredTest equal(Operand value) {
    KeyRanges keys =
        value.key().isUnkeyable() ? KeyRanges.NONE : KeyRanges.of(value.key(), value.key());
    return new StoredTest(
        keys, value.key().isUnkeyable(), (b, off, len) -> value.compareStored(b, off, len) == 0);
  }

  /** Values from lower to upper, both included; null is no bound. */
  public static StoredTest between(Operand lower, Operand upper) {
    KeyRanges keys =
        KeyRanges.of(lower == null ? null : lower.key(), upper == null ? null : upper.key());
    return new StoredTest(
        keys, true, (b, off, len) -> isAtLeast(lower, b, off, len) && isAtMost(upper, b, off, len));
  }

  private static boolean isAtLeast(Operand bound, byte[] b, int off, int len) {
    return bound == null || bound.compareStored(b, off, len) >= 0;
  }

  private static boolean isAtMost(Operand bound, byte[] b, int off, int len) {
    if (bound == null) {
      return true;
    }
    int order = bound.compareStored(b, off, len);
    return order <= 0 && order != Operand.UNDECODABLE;
  }

  /** Values whose stored bytes have a prefix. */
  public static StoredTest prefix(ValueCodec codec, byte[] prefix) {
    return new StoredTest(
        KeyRanges.of(codec.prefixRange(prefix)),
        true,
        (b, off, len) ->
            len >= prefix.length
                && Arrays.equals(b, off, off + prefix.length, prefix, 0, prefix.length));
  }

  KeyRanges keys() {
    return keys;
  }

  /** Whether values that have no key may pass. */
  boolean passesUnkeyable() {
    return unkeyable;
  }

  boolean passes(byte[] b, int off, int len) {
    return judge.passes(b, off, len);
  }
}
