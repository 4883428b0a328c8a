package io.spyhop.server.hook;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionPart;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** What the parts of one region of a user table are made of. Thread-safe. */
public final class RegionContext {
  private final HRegion region;
  private final IndexSchema schema;
  private final SpyhopRegionServer server;
  private volatile RegionParts parts = RegionParts.NONE;

  RegionContext(HRegion region, IndexSchema schema, SpyhopRegionServer server) {
    this.region = region;
    this.schema = schema;
    this.server = server;
  }

  /** The region, which is about to open. */
  public HRegion region() {
    return region;
  }

  /** The table's definitions when the region began to open. */
  public IndexSchema schema() {
    return schema;
  }

  SpyhopRegionServer server() {
    return server;
  }

  void parts(RegionParts made) {
    parts = made;
  }

  /** All parts of the region; none before all are made. */
  RegionParts parts() {
    return parts;
  }

  /** One of the region's parts. */
  <T extends RegionPart> Optional<T> part(Class<T> type) {
    return parts.find(type);
  }
}
