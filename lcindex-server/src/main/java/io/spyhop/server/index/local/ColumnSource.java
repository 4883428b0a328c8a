package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * The files of one HFile in the columnar layout, held by the caller: an index's, or those of the
 * rows. Thread-safe.
 */
public interface ColumnSource {
  /** The index, or the rows. */
  IndexDefinition definition();

  /** Stands for these files, whose contents do not change, and for no others. */
  UUID identity();

  /**
   * The blocks, for one reader.
   *
   * @param hfile the HFile
   * @throws CorruptIndexFileException if they are those of another HFile
   */
  ColumnFile columns(StoreFileReader hfile, ReadSettings settings) throws IOException;

  /** Of the rows of an HFile, which of them there are. */
  default RowLookup lookup(StoreFileReader hfile, ReadSettings settings) throws IOException {
    return new RowLookup(columns(hfile, settings));
  }
}
