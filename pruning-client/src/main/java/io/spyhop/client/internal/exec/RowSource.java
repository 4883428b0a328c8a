package io.spyhop.client.internal.exec;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/** The rows of one range in row-key order. Used by one thread at a time. */
public interface RowSource extends Closeable {
  /** The next row, or null after the last. */
  Result next() throws IOException;

  /** Opens sources. Thread-safe. */
  @FunctionalInterface
  interface Opener {
    /** The rows of a range; the caller closes the source. */
    RowSource open(RowRange range) throws IOException;
  }
}
