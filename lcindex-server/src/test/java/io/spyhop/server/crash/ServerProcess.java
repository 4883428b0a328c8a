package io.spyhop.server.crash;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One HBase server in a JVM of its own, which can be killed as by {@code kill -9}. As HBase's own
 * scripts have it, it dies when it runs out of memory.
 */
final class ServerProcess {
  private static final List<String> OPENED =
      List.of("java.base/java.lang", "java.base/java.lang.reflect", "java.base/java.nio");

  private final List<String> options = new ArrayList<>();
  private final List<String> main = new ArrayList<>();
  private final Path configuration;
  private final File output;
  private String classPath = System.getProperty("java.class.path");
  private Process process;

  /**
   * @param heap as of {@code -Xmx}
   * @param configuration a directory with hbase-site.xml
   * @param log the server's log; standard output goes to a file beside it
   */
  ServerProcess(Class<?> main, String heap, List<String> options, Path configuration, Path log) {
    for (String module : OPENED) {
      this.options.add("--add-opens");
      this.options.add(module + "=ALL-UNNAMED");
    }
    this.options.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:OnOutOfMemoryError=kill -9 %p",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=crash-log4j.properties",
            "-Dspyhop.log=" + log.toAbsolutePath()));
    this.main.add(main.getName());
    this.main.addAll(options);
    this.main.add("start");
    this.configuration = configuration;
    output = new File(log.toAbsolutePath() + ".out");
  }

  /** What it runs with when it is started the next time; at first that of this JVM. */
  void classPath(String entries) {
    classPath = entries;
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", configuration + File.pathSeparator + classPath));
    command.addAll(main);
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

  /** The process ends as an operator ends it; returns when it is gone. */
  void stop() {
    process.destroy();
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
