package io.spyhop.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Makes a process of a server's plan. Stateless. */
final class ServerLaunch {
  /** What HBase and Hadoop need on JDK 17; the script ./spyhop has the same list. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.lang.reflect", "java.nio", "java.util");

  private static final String LOGGING = "io/spyhop/cluster/server-log4j.properties";

  private ServerLaunch() {}

  /**
   * Starts a server's process; returns at once.
   *
   * @param endsWithUs whether the process is to end when this one does
   */
  static Process start(ClusterDirectory dir, ServerPlan plan, boolean endsWithUs)
      throws IOException {
    Path arguments = dir.arguments(plan.name());
    Files.write(arguments, lines(dir, plan, endsWithUs));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    File output = dir.logs().resolve(plan.name() + ".out").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(java.toString(), argument(arguments))
            .directory(dir.root().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    if (!endsWithUs) {
      builder.redirectInput(new File("/dev/null"));
    }
    return builder.start();
  }

  /** By which a server's command line is recognised: Java reads the rest from this file. */
  static String argument(Path arguments) {
    return "@" + arguments;
  }

  private static List<String> lines(ClusterDirectory dir, ServerPlan plan, boolean endsWithUs) {
    List<String> all = new ArrayList<>(jvm(dir, plan));
    all.add(ServerMain.class.getName());
    all.add(plan.role().name());
    all.add(String.valueOf(endsWithUs));
    if (plan.role() == ServerRole.ZOOKEEPER) {
      all.add(dir.conf().resolve(ConfigurationFiles.ZOOKEEPER).toString());
    } else {
      plan.settings().forEach((name, value) -> all.addAll(List.of("-D", name + "=" + value)));
    }
    return all.stream().map(ServerLaunch::quoted).collect(Collectors.toList());
  }

  private static List<String> jvm(ClusterDirectory dir, ServerPlan plan) {
    List<String> all = new ArrayList<>();
    for (String opened : OPENED) {
      all.add("--add-opens");
      all.add("java.base/" + opened + "=ALL-UNNAMED");
    }
    all.addAll(
        List.of(
            "-Xmx" + plan.heap(),
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=" + LOGGING,
            "-Dspyhop.log.file=" + dir.logs().resolve(plan.name() + ".log")));
    if (plan.jmxPort() > 0) {
      all.addAll(jmx(plan.jmxPort()));
    }
    all.addAll(plan.jvmOptions());
    all.add("-cp");
    all.add(String.join(File.pathSeparator, dir.conf().toString(), plan.classPath(), ownClasses()));
    return all;
  }

  private static List<String> jmx(int port) {
    String remote = "-Dcom.sun.management.jmxremote";
    return List.of(
        remote + ".port=" + port,
        remote + ".rmi.port=" + port,
        remote + ".host=" + Loopback.HOST,
        "-Djava.rmi.server.hostname=" + Loopback.HOST,
        remote + ".authenticate=false",
        remote + ".ssl=false");
  }

  /** Where {@link ServerMain} is, whatever class path is asked for. */
  private static String ownClasses() {
    try {
      return Path.of(ServerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As a file of arguments has it. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
