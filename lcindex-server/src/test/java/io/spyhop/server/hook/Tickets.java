package io.spyhop.server.hook;

import io.spyhop.core.protocol.EntryTicket;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Tickets of regions that give none. */
public final class Tickets {
  private Tickets() {}

  /** The ticket that a region of a base table would believe, if it believed any. */
  public static EntryTicket of(HRegion region, long incarnation) {
    return region
        .getCoprocessorHost()
        .findCoprocessor(SpyhopRegion.class)
        .repair()
        .removals()
        .ticket(incarnation);
  }
}
