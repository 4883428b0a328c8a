package io.spyhop.client.internal.admin;

import io.spyhop.core.wire.CorruptFrameException;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * A region's answer, with its place.
 *
 * @param location the region that was meant, and its server
 * @param answer the decoded answer; empty if it has nothing to say or does not run Spyhop
 * @param failure why there is no answer, or empty
 */
public record RegionAnswer<T>(HRegionLocation location, Optional<T> answer, String failure) {
  /** Reads the wire form of answers. */
  @FunctionalInterface
  public interface Decoder<T> {
    /** Reads one answer. */
    T decode(byte[] bytes) throws CorruptFrameException;
  }

  /** The region's encoded name. */
  public String region() {
    return location.getRegion().getEncodedName();
  }

  /** The region's server as {@code host,port,startcode}, or {@code ?} while it has none. */
  public String server() {
    return location.getServerName() == null ? "?" : location.getServerName().getServerName();
  }
}
