package io.spyhop.server.index.local;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/** All cells of one HFile in order: every version, every delete marker. Not thread-safe. */
public interface CellSource extends Closeable {
  /** The next cell, valid until {@link #shipped()}, or null at the end. */
  Cell next() throws IOException;

  /** Says that no cell handed out so far is needed any more. */
  void shipped() throws IOException;

  @Override
  void close();
}
