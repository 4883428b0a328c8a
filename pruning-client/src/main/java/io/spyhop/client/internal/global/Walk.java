package io.spyhop.client.internal.global;

import io.spyhop.core.global.Entry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads entries of an index, a page at a time. Not thread-safe. */
interface Walk {
  /**
   * Where the next page is, a row of the index table: all entries on the one side of it are read,
   * and none on the other; empty if there are no more.
   */
  Optional<byte[]> position();

  /**
   * Entries, at least as many as the last row has that fits; none does not mean that there are no
   * more.
   */
  List<Entry> next(int limit) throws IOException;
}
