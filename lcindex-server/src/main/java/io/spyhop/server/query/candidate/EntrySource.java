package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.StoredRow;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Pairs of value key and row that one source of a query holds, in the query's order: each version
 * of the column in the source is one. Key and row are valid until the next call of {@link #next()}.
 * Not thread-safe.
 */
interface EntrySource extends Closeable {
  /** Moves to the next pair; false if there is none. */
  boolean next() throws IOException;

  /** The array that holds the value's key. */
  byte[] keyArray();

  /** Where the value's key begins. */
  int keyOffset();

  /** How long the value's key is. */
  int keyLength();

  /** The array that holds the row key. */
  byte[] rowArray();

  /** Where the row key begins. */
  int rowOffset();

  /** How long the row key is. */
  int rowLength();

  /** What becomes of the row, as far as this source knows. */
  SourceVerdict.Verdict verdict() throws IOException;

  /** The row's cells, where the verdict is that they are the answer. */
  StoredRow keep();

  /** The sign says where the pair's key stands against another one. */
  default int compareKey(byte[] key) {
    return Bytes.compareTo(keyArray(), keyOffset(), keyLength(), key, 0, key.length);
  }

  /** The sign says which pair comes first: by key in the given direction, then by row. */
  static int compare(EntrySource a, EntrySource b, boolean descending) {
    int c =
        Bytes.compareTo(
            a.keyArray(), a.keyOffset(), a.keyLength(), b.keyArray(), b.keyOffset(), b.keyLength());
    if (c != 0) {
      return descending ? -c : c;
    }
    return Bytes.compareTo(
        a.rowArray(), a.rowOffset(), a.rowLength(), b.rowArray(), b.rowOffset(), b.rowLength());
  }

  @Override
  void close();
}
