package org.apache.hadoop.hbase.regionserver;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The leases of a region server's scanners. */
public final class ScannerLeases {
  private ScannerLeases() {}

  /** Those that there are. */
  public static Set<String> names(HRegionServer server) {
    return new HashSet<>(leases(server).keySet());
  }

  /** Ends those that there were not before, as if their time was up; says how many. */
  public static int expire(HRegionServer server, Set<String> before) {
    int expired = 0;
    Map<String, LeaseManager.Lease> all = leases(server);
    for (String name : names(server)) {
      LeaseManager.Lease lease = before.contains(name) ? null : all.remove(name);
      if (lease != null) {
        lease.getListener().leaseExpired();
        expired++;
      }
    }
    return expired;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, LeaseManager.Lease> leases(HRegionServer server) {
    try {
      Field field = LeaseManager.class.getDeclaredField("leases");
      field.setAccessible(true);
      return (Map<String, LeaseManager.Lease>) field.get(server.getLeaseManager());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
