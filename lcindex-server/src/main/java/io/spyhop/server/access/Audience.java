package io.spyhop.server.access;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/**
 * Decides who is told what others have asked a region, and how it answered, by a call that HBase
 * itself lets through for ADMIN on everything alone, where it checks that.
 */
public enum Audience {
  /** All callers: nothing checks access. */
  ANYBODY,
  /** Who has ADMIN on everything: HBase's AccessController alone decides who may read. */
  ADMINISTRATORS,
  /** Superusers: cells may be hidden by labels, or by rules that are not known here. */
  SUPERUSERS;

  /** That of a region. */
  public static Audience of(HRegion region) {
    if (ColumnAccess.isOpen(region)) {
      return ANYBODY;
    }
    RegionCoprocessorHost host = region.getCoprocessorHost();
    boolean alone =
        host != null
            && host.findCoprocessor(AccessController.class) != null
            && host.findCoprocessor(VisibilityController.class) == null
            && !ForeignObservers.watch(region);
    return alone ? ADMINISTRATORS : SUPERUSERS;
  }

  /**
   * Whether the caller of the current RPC belongs to it, as HBase has let the call through.
   *
   * @param server the server's settings, which say whether HBase has looked at the caller's rights
   */
  public boolean hasCaller(Configuration server) {
    return switch (this) {
      case ANYBODY -> true;
      case ADMINISTRATORS -> Callers.isSystem() || AccessChecker.isAuthorizationSupported(server);
      case SUPERUSERS -> Callers.isSystem();
    };
  }
}
