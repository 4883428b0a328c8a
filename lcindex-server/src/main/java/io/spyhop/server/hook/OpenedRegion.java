package io.spyhop.server.hook;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** A user table's region with its parts. Thread-safe once its parts are made. */
final class OpenedRegion implements RegionContext {
  private final HRegion region;
  private final IndexSchema schema;
  private final SpyhopRegionServer server;
  private volatile RegionParts parts = RegionParts.NONE;

  OpenedRegion(HRegion region, IndexSchema schema, SpyhopRegionServer server) {
    this.region = region;
    this.schema = schema;
    this.server = server;
  }

  /** Makes a part of each kind that the server has. */
  RegionParts make() {
    List<RegionPart> made = new ArrayList<>();
    for (Kind kind : server.kinds()) {
      made.add(kind.part(this));
    }
    parts = new RegionParts(made);
    return parts;
  }

  @Override
  public HRegion region() {
    return region;
  }

  @Override
  public IndexSchema schema() {
    return schema;
  }

  @Override
  public <T> T service(Class<T> type) {
    return server.services().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + type.getName()));
  }

  @Override
  public <T extends RegionPart> T part(Class<T> type) {
    return parts
        .find(type)
        .orElseThrow(() -> new IllegalStateException(region + " has no " + type.getName()));
  }

  @Override
  public void readDefinitions() throws IOException {
    part(DefinitionsPart.class)
        .schema()
        .orElseThrow(() -> new IOException(region + " closes"))
        .refresh();
  }

  @Override
  public void tell(IndexSchema definitions) {
    parts.definitions(definitions);
  }
}
