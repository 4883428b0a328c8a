package io.spyhop.core.value;

/**
 * Reads a cell's value as a byte string, its content. Stateless, thread-safe, never throws on
 * content.
 */
interface BytesForm {
  boolean isDecodable(byte[] b, int off, int len);

  /** How many bytes of content decodable bytes have. */
  int contentLength(byte[] b, int off, int len);

  /** The first bytes of the content of decodable bytes, at most limit. */
  byte[] content(byte[] b, int off, int len, int limit);

  /** The unsigned order of the content of decodable bytes relative to other content. */
  int compareContent(byte[] b, int off, int len, byte[] other);

  /** The bytes that store this content, for which {@link #canHold}. */
  byte[] write(byte[] content);

  /** Whether the form has bytes for the content. */
  default boolean canHold(byte[] content) {
    return true;
  }

  /** Whether stored bytes are the content itself, so that both have the same prefixes. */
  default boolean isVerbatim() {
    return false;
  }
}
