package io.spyhop.server.index.local;

import org.apache.hadoop.fs.Path;

/**
 * A finished file and what it holds.
 *
 * @param path where it is
 * @param checksums of its bytes
 */
record CheckedFile(Path path, FileChecksums checksums) {
  /**
   * No name of an HFile, a reference or a link begins with it, whatever comes behind. Names of
   * IFiles begin as those of references do, whose blocks HBase does not cache.
   */
  private static final String NONE_OF_HBASE = "+";

  /** The path by which HBase's readers and its block cache know the file. */
  Path cached() {
    return new Path(path.getParent(), NONE_OF_HBASE + path.getName());
  }
}
