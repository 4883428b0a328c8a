package io.spyhop.server.index.local;

/** Reads index records in the order of their values' keys. Not thread-safe. */
public interface OrderedCursor extends RecordCursor {
  /** The array that holds the value's key. */
  byte[] keyArray();

  /** Where the value's key begins. */
  int keyOffset();

  /** How long the value's key is. */
  int keyLength();
}
