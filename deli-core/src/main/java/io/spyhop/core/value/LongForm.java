package io.spyhop.core.value;

/** Reads a cell's value as a long inside. Stateless, thread-safe, never throws on content. */
interface LongForm {
  boolean isDecodable(byte[] b, int off, int len);

  /** The value of decodable bytes; undefined of others. Does not allocate. */
  long read(byte[] b, int off, int len);

  /** The usual bytes of a value that the form can hold. */
  byte[] write(long value);
}
