package io.spyhop.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The address of all servers, and its ports. Stateless. */
final class Loopback {
  /** All servers listen here only. */
  static final String HOST = "127.0.0.1";

  // Below the ports that systems give to outgoing connections: one of those could take a server's
  // port while the server is down.
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 1_000;
  private static final int CONNECT_MILLIS = 1_000;

  private Loopback() {}

  /**
   * A port that nobody listens on.
   *
   * @param taken by servers that may be down now
   */
  static int freePort(Set<Integer> taken) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (!taken.contains(port) && isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port found in " + FIRST + ".." + LAST);
  }

  /** Whether a server could listen on a port. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a process listens on a port. */
  static boolean isListening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(HOST, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
