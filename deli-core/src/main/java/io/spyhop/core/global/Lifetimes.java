package io.spyhop.core.global;

import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/** Compares how long families show their cells. Stateless. */
public final class Lifetimes {
  private Lifetimes() {}

  /** Whether cells may be visible with the new settings that the old ones hide. */
  public static boolean revives(ColumnFamilyDescriptor old, ColumnFamilyDescriptor now) {
    return now.getMaxVersions() > old.getMaxVersions()
        || now.getTimeToLive() > old.getTimeToLive()
        || now.getMinVersions() > old.getMinVersions()
        || now.getKeepDeletedCells() != old.getKeepDeletedCells()
        || now.isNewVersionBehavior() != old.isNewVersionBehavior();
  }
}
