package io.spyhop.server.counting;

import io.spyhop.server.hook.RegionKinds;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.index.RegionContext;
import java.util.ArrayList;
import java.util.List;

/** A server with one kind more. */
public final class CountingServer extends SpyhopRegionServer {
  /** HBase calls it. */
  public CountingServer() {
    super(kinds());
  }

  private static List<RegionContext.Kind> kinds() {
    List<RegionContext.Kind> kinds = new ArrayList<>(RegionKinds.ALL);
    kinds.add(region -> new CountPart());
    return kinds;
  }
}
