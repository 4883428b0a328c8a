package io.spyhop.cli.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One region server in a JVM of its own, with this JVM's class path. Not thread-safe. */
final class RegionServerProcess {
  /** What HBase and Hadoop need on JDK 17; the script ./spyhop has the same list. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.lang.reflect", "java.nio", "java.util");

  private static final int END_SECONDS = 30;

  private final Path log;
  private final int jmxPort;
  private final Process process;

  private RegionServerProcess(Path log, int jmxPort, Process process) {
    this.log = log;
    this.jmxPort = jmxPort;
    this.process = process;
  }

  /**
   * Starts a server; returns at once.
   *
   * @param configuration a directory with hbase-site.xml
   * @param heap the JVM's largest heap, as in {@code -Xmx}
   * @param log the server's log; standard output goes to a file beside it
   */
  static RegionServerProcess start(Path configuration, String heap, Path log) throws IOException {
    int jmxPort = freePort();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : OPENED) {
      command.add("--add-opens");
      command.add("java.base/" + opened + "=ALL-UNNAMED");
    }
    // As many threads collect garbage as in any other measurement: one.
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseSerialGC"));
    command.addAll(jmx(jmxPort));
    command.addAll(
        List.of(
            "-Djava.net.preferIPv4Stack=true",
            "-Dspyhop.log.to=file",
            "-Dspyhop.log.file=" + log,
            "-cp",
            configuration + File.pathSeparator + System.getProperty("java.class.path"),
            RegionServerMain.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File(log + ".out"))
            .start();
    return new RegionServerProcess(log, jmxPort, process);
  }

  private static List<String> jmx(int port) {
    String remote = "-Dcom.sun.management.jmxremote";
    return List.of(
        remote + ".port=" + port,
        remote + ".rmi.port=" + port,
        remote + ".host=" + ServerConfiguration.LOCALHOST,
        "-Djava.rmi.server.hostname=" + ServerConfiguration.LOCALHOST,
        remote + ".authenticate=false",
        remote + ".ssl=false");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket =
        new ServerSocket(0, 1, InetAddress.getByName(ServerConfiguration.LOCALHOST))) {
      return socket.getLocalPort();
    }
  }

  /** Where its JMX beans are, on this machine. */
  int jmxPort() {
    return jmxPort;
  }

  /**
   * Looks after it.
   *
   * @throws IOException if it has ended
   */
  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          "a region server ended by itself, exit " + process.exitValue() + " (log: " + log + ")");
    }
  }

  /** Asks nothing and saves nothing: the data is thrown away. Returns when it is gone. */
  void kill() throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("region server process " + process.pid() + " outlives being killed");
      }
    } catch (InterruptedException e) {
      throw EmbeddedHBase.interrupted("stopping a region server", e);
    }
  }
}
