package io.spyhop.server.crash;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One HBase server in a JVM of its own, which can be killed as by {@code kill -9}. */
final class ServerProcess {
  private static final List<String> OPENED =
      List.of("java.base/java.lang", "java.base/java.lang.reflect", "java.base/java.nio");

  private final List<String> command = new ArrayList<>();
  private final File output;
  private Process process;

  /**
   * @param configuration a directory with hbase-site.xml
   * @param log the server's log; standard output goes to a file beside it
   */
  ServerProcess(Class<?> main, List<String> options, Path configuration, Path log) {
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String module : OPENED) {
      command.add("--add-opens");
      command.add(module + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=crash-log4j.properties",
            "-Dspyhop.log=" + log.toAbsolutePath(),
            "-cp",
            configuration + File.pathSeparator + System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(options);
    command.add("start");
    output = new File(log.toAbsolutePath() + ".out");
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
            .start();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** The process has no chance to do anything any more; returns when it is gone. */
  void kill9() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Returns when the process is gone. */
  void awaitEnd() {
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException(process + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
