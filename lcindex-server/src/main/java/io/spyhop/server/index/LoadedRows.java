package io.spyhop.server.index;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Reads the rows of HFiles that are about to be loaded, as the user who loads them. Thread-safe.
 */
public interface LoadedRows {
  /** Looks at a row. */
  @FunctionalInterface
  interface Visitor {
    /** Takes a row of a file; throws what refuses the load. */
    void row(Path file, byte[] row) throws IOException;
  }

  /**
   * Visits each row of each file once, in the thread that loads them, before HBase has them.
   *
   * @param files by family
   * @throws org.apache.hadoop.hbase.RegionTooBusyException if too many loads are read already
   */
  void forEach(HRegion region, List<Pair<byte[], String>> files, Visitor visitor)
      throws IOException;
}
