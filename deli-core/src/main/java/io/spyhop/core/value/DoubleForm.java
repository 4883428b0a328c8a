package io.spyhop.core.value;

/**
 * Reads a cell's value as a floating point number. Stateless, thread-safe, never throws on content.
 */
interface DoubleForm {
  boolean isDecodable(byte[] b, int off, int len);

  /** The value of decodable bytes; undefined of others. */
  double read(byte[] b, int off, int len);

  /** The usual bytes of a value for which {@link #canHold}. */
  byte[] write(double value);

  /** Whether the form has bytes for the value, which is of the form's precision. */
  default boolean canHold(double value) {
    return true;
  }
}
