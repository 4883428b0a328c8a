package io.spyhop.server.index.local.column;

/** A set of rows by the hashes of their keys: a row whose hash is not in it is none of them. */
public interface HashedRows {
  /** Whether there are none. */
  boolean isEmpty();

  /** Whether a hash is that of one of the rows, as {@link RowHashes#of} computes it. */
  boolean contains(int hash);

  /** Bytes on the heap that are not counted elsewhere, about. */
  long heapSize();
}
