package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;

/** The index files of one HFile in the columnar layout, held by the caller. Thread-safe. */
public interface ColumnSource {
  /** The index. */
  IndexDefinition definition();

  /** The blocks, for one reader. */
  ColumnFile columns(RecordRequest request) throws IOException;
}
