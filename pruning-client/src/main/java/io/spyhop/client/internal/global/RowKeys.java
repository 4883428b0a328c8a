package io.spyhop.client.internal.global;

import java.io.IOException;
import java.util.Collection;
import java.util.Iterator;

/**
 * Keys of rows to be read, of which the first ones may be known before the last. Not thread-safe.
 */
interface RowKeys {
  /** The next one, or null after the last. */
  byte[] next() throws IOException;

  /** Whether the next one is known; if not, there may be none. */
  boolean isAtHand();

  /** Known keys, in their order. */
  static RowKeys of(Collection<byte[]> all) {
    Iterator<byte[]> keys = all.iterator();
    return new RowKeys() {
      @Override
      public byte[] next() {
        return keys.hasNext() ? keys.next() : null;
      }

      @Override
      public boolean isAtHand() {
        return keys.hasNext();
      }
    };
  }
}
