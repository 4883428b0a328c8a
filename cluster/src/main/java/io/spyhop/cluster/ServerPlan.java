package io.spyhop.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The command line and environment of one server, the same at each start.
 *
 * @param number among those of its role, from 0
 * @param port it listens on
 * @param jmxPort where its JMX beans are, 0 for none
 * @param heap as of {@code -Xmx}
 * @param classPath of the JVM, beyond the configuration and this module
 * @param jvmOptions of the JVM, beyond those that all servers have
 * @param settings that this server alone has
 */
record ServerPlan(
    ServerRole role,
    int number,
    int port,
    int jmxPort,
    String heap,
    String classPath,
    List<String> jvmOptions,
    Map<String, String> settings) {
  private static final String OPTION = "jvm.";
  private static final String SETTING = "set.";

  ServerPlan {
    jvmOptions = List.copyOf(jvmOptions);
    settings = Map.copyOf(settings);
  }

  String name() {
    return role.nameOf(number);
  }

  ServerPlan withClassPath(String other) {
    return new ServerPlan(role, number, port, jmxPort, heap, other, jvmOptions, settings);
  }

  ServerPlan with(int otherNumber, int otherPort, int otherJmx, Map<String, String> others) {
    return new ServerPlan(
        role, otherNumber, otherPort, otherJmx, heap, classPath, jvmOptions, others);
  }

  void write(Path file) throws IOException {
    Properties p = new Properties();
    p.setProperty("role", role.name());
    p.setProperty("number", String.valueOf(number));
    p.setProperty("port", String.valueOf(port));
    p.setProperty("jmx", String.valueOf(jmxPort));
    p.setProperty("heap", heap);
    p.setProperty("classpath", classPath);
    for (int i = 0; i < jvmOptions.size(); i++) {
      p.setProperty(OPTION + i, jvmOptions.get(i));
    }
    settings.forEach((name, value) -> p.setProperty(SETTING + name, value));
    PropertyFile.write(file, p);
  }

  /**
   * Reads what was written.
   *
   * @throws IOException if it is not there or damaged
   */
  static ServerPlan read(Path file) throws IOException {
    Properties p = PropertyFile.read(file);
    try {
      return new ServerPlan(
          ServerRole.valueOf(p.getProperty("role", "")),
          (int) PropertyFile.number(file, p, "number"),
          (int) PropertyFile.number(file, p, "port"),
          (int) PropertyFile.number(file, p, "jmx"),
          p.getProperty("heap", ""),
          p.getProperty("classpath", ""),
          options(p),
          settings(p));
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + file + "' is damaged: " + e.getMessage(), e);
    }
  }

  private static List<String> options(Properties p) {
    return IntStream.iterate(0, i -> p.containsKey(OPTION + i), i -> i + 1)
        .mapToObj(i -> p.getProperty(OPTION + i))
        .toList();
  }

  private static Map<String, String> settings(Properties p) {
    Map<String, String> settings = new TreeMap<>();
    for (String name : p.stringPropertyNames()) {
      if (name.startsWith(SETTING)) {
        settings.put(name.substring(SETTING.length()), p.getProperty(name));
      }
    }
    return settings;
  }
}
