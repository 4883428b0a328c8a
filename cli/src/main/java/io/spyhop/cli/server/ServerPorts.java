package io.spyhop.cli.server;

/**
 * The ports of an embedded HBase; 0 means any that is free.
 *
 * @param zookeeper where clients connect
 * @param master the master's RPC port
 * @param regionServer the region server's RPC port
 */
public record ServerPorts(int zookeeper, int master, int regionServer) {
  /** Any free ports, so that several instances do not meet. */
  public static final ServerPorts FREE = new ServerPorts(0, 0, 0);

  private static final int MAX_PORT = 65_535;

  /** Checks the ranges. */
  public ServerPorts {
    check("ZooKeeper", zookeeper);
    check("master", master);
    check("region server", regionServer);
  }

  private static void check(String what, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(what + " port " + port + " is not in 0.." + MAX_PORT);
    }
  }
}
