package io.spyhop.server.index.local.column;

import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The codes that stand for the keys of a block's values, in the order of the keys. Immutable,
 * thread-safe.
 */
interface KeyCodes {
  /** No code, above all that there are. */
  long ABOVE = Long.MAX_VALUE;

  /** No code, below all that there are. */
  long BELOW = -1;

  /** How many bits the codes have. */
  int bits();

  /** The least code that a key from a bound on can have; {@link #ABOVE} if there is none. */
  long least(byte[] key);

  /** The greatest code that a key up to a bound can have; {@link #BELOW} if there is none. */
  long most(byte[] key);

  /** Whether each code stands for one key. */
  boolean isExact();

  /**
   * Whether each code up to {@link #last} is the key of a value, even if no row has it; then each
   * stands for one key, too.
   */
  default boolean isEachValue() {
    return false;
  }

  /** The key that a code stands for, zeros behind it; only if each stands for one. */
  byte[] key(long code);

  /** The place of this form in the block's format. */
  int form();

  /** Writes all but the form. */
  void writeTo(DataOutputStream out) throws IOException;

  /** The greatest number of as many bits. */
  default long max() {
    return (1L << bits()) - 1;
  }

  /** The greatest code. */
  default long last() {
    return max();
  }
}
