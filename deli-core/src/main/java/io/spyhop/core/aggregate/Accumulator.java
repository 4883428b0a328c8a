package io.spyhop.core.aggregate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One figure of one group. The order in which it takes values and partial results changes nothing.
 * Not thread-safe.
 */
abstract class Accumulator {
  /**
   * Takes a value.
   *
   * @param b has stored bytes that decode
   * @return by how many bytes of memory it has grown
   */
  abstract long add(byte[] b, int off, int len);

  /**
   * Takes the value of a code.
   *
   * @return by how many bytes of memory it has grown
   */
  long add(CodedColumn column, long code) {
    byte[] stored = column.stored(code);
    return add(stored, 0, stored.length);
  }

  /** Writes what it has taken. */
  abstract void writeTo(DataOutputStream out) throws IOException;

  /**
   * Takes what another one of its kind and type wrote.
   *
   * @return by how many bytes of memory it has grown
   * @throws IOException if it is none of its bytes
   */
  abstract long merge(DataInputStream in) throws IOException;

  /** The figure, as {@link Measure.Kind} says. */
  abstract Object result();

  /** The memory of an empty one, in bytes. */
  abstract long leastBytes();
}
