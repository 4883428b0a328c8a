package io.spyhop.server.index.global.repair;

import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.ScanInfo;

/**
 * The retention rules of a column family. Immutable, thread-safe.
 *
 * @param maxVersions its VERSIONS
 * @param minVersions versions that are kept although expired
 * @param ttlMillis its lifetime; {@link Long#MAX_VALUE} is for ever
 * @param keepsDeleted whether KEEP_DELETED_CELLS is anything but FALSE
 * @param newVersionBehavior whether deletes hide only what was written before them
 */
public record VersionRules(
    int maxVersions,
    int minVersions,
    long ttlMillis,
    boolean keepsDeleted,
    boolean newVersionBehavior) {
  /** The rules that a store applies now; {@code alter} may change them. */
  public static VersionRules of(ScanInfo info) {
    return new VersionRules(
        info.getMaxVersions(),
        info.getMinVersions(),
        info.getTtl(),
        info.getKeepDeletedCells() != KeepDeletedCells.FALSE,
        info.isNewVersionBehavior());
  }

  /** Cells with smaller timestamps are expired. */
  long oldestUnexpired(long now) {
    return ttlMillis == Long.MAX_VALUE ? Long.MIN_VALUE : now - ttlMillis;
  }
}
