package io.spyhop.bench.deli;

import java.io.IOException;

/** Reads rows by the value of the indexed column: ReadValue of the DELI paper. Thread-safe. */
@FunctionalInterface
public interface ValueReader {
  /** How many rows have the value now. */
  int read(long value) throws IOException;
}
