package io.spyhop.bench.mdrq;

import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** What the region servers of a benchmark say of themselves. They run in this JVM. */
public interface Servers {
  /**
   * What a region's stores hold.
   *
   * @param name of the region
   * @param hfiles how many HFiles
   * @param hfileBytes their size
   * @param memstoreCells cells in memstores
   * @param memstoreBytes size of these cells
   */
  record Contents(
      String name, int hfiles, long hfileBytes, long memstoreCells, long memstoreBytes) {}

  /** The regions of a table. */
  List<Contents> regions(TableName table);

  /** Bytes that were read from files since the servers started. */
  long bytesRead();

  /** Empties the block caches, so that who reads next reads files. */
  void dropBlocks();
}
