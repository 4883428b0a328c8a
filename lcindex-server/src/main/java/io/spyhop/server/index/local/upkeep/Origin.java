package io.spyhop.server.index.local.upkeep;

import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Pair;

/**
 * A place where the index files of a store file may exist already.
 *
 * @param region encoded name of the region under which they were built
 * @param hfile the HFile's name there
 */
record Origin(String region, String hfile) {

  /** The parent's file for a reference, the linked file for a link, otherwise the file itself. */
  static Origin of(HStoreFile file, String region) {
    String name = file.getPath().getName();
    if (StoreFileInfo.isReference(name)) {
      Pair<String, String> referred = StoreFileInfo.getReferredToRegionAndFile(name);
      return new Origin(referred.getFirst(), referred.getSecond());
    }
    if (HFileLink.isHFileLink(name)) {
      return new Origin(
          HFileLink.getReferencedRegionName(name), HFileLink.getReferencedHFileName(name));
    }
    return new Origin(region, name);
  }
}
