package io.spyhop.cli.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A region server in a JVM of its own, which ends with the process that started it: then its
 * standard input ends, however the other process came to its end.
 */
final class RegionServerMain {
  private static final int ORPHANED = 3;

  private RegionServerMain() {}

  /** Runs the server until it is stopped. */
  public static void main(String[] args) {
    Thread watch = new Thread(RegionServerMain::awaitOrphaned, "spyhop-parent");
    watch.setDaemon(true);
    watch.start();
    HRegionServer.main(new String[] {"start"});
  }

  private static void awaitOrphaned() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever written.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(ORPHANED);
    }
  }
}
