package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.remote.Shipment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * The index files that a region that is open here sends to the server to which it is going to be
 * moved. Stateless.
 */
final class Shipments {
  private Shipments() {}

  /** The index files of the HFiles that the region has now. */
  static Shipment of(HRegion region, RegionIndexes indexes) throws IOException {
    List<Shipment.Item> items = new ArrayList<>();
    int missing = 0;
    for (HStore store : region.getStores()) {
      byte[] family = store.getColumnFamilyDescriptor().getName();
      for (HStoreFile file : store.getStorefiles()) {
        for (IndexDefinition index : indexes.wanted(family)) {
          Optional<IndexFile> found = indexes.find(file.getPath().getName(), index);
          if (found.isPresent()) {
            items.add(item(region, family, file, found.get()));
          } else {
            missing++;
          }
        }
      }
    }
    return new Shipment(items, missing);
  }

  /** A reference's files may be its parent's, where they lie under their own name. */
  private static Shipment.Item item(HRegion region, byte[] family, HStoreFile file, IndexFile index)
      throws IOException {
    String name = file.getPath().getName();
    String encoded = region.getRegionInfo().getEncodedName();
    if (index.isOwned()) {
      return new Shipment.Item(name, family, encoded, index.header());
    }
    Origin origin = Origin.of(file, encoded);
    return new Shipment.Item(name, family, origin.region(), index.header().as(origin.hfile()));
  }
}
