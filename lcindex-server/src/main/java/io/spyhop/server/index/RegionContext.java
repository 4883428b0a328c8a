package io.spyhop.server.index;

import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** The common means of all parts of one region of a user table. Thread-safe. */
public interface RegionContext {
  /** The region, which is about to open. */
  HRegion region();

  /** The table's definitions when the region began to open. */
  IndexSchema schema();

  /**
   * What the server keeps for all its regions.
   *
   * @throws IllegalStateException if the server has nothing of this type
   */
  <T> T service(Class<T> type);

  /**
   * One of the region's parts; all are made before the first is opened.
   *
   * @throws IllegalStateException if the region has none of this type
   */
  <T extends RegionPart> T part(Class<T> type);

  /** Has the table's definitions read again, and all parts told what they are. */
  void readDefinitions() throws IOException;

  /** Tells all parts what the table's definitions are. */
  void tell(IndexSchema schema);

  /** Makes a kind's part of a region. */
  @FunctionalInterface
  interface Kind {
    /** The part of a region that is about to open; does no I/O, has {@code opens} do it. */
    RegionPart part(RegionContext region);
  }
}
