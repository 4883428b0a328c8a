package io.spyhop.server.crash;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Class paths of this version and of another one, whose jars the properties {@code
 * spyhop.other.server} and {@code spyhop.other.client} list, or on another HBase.
 */
final class OtherVersion {
  private static final List<String> MODULES =
      List.of("deli-core", "pruning-client", "lcindex-server");

  private final List<String> ours =
      Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));

  /** What this JVM runs with. */
  String ourVersion() {
    return String.join(File.pathSeparator, ours);
  }

  /** Servers of the other version: its jar for servers, and nothing else of Spyhop. */
  String servers() {
    return with("spyhop.other.server");
  }

  /** Programs with the client of the other version. */
  String clients() {
    return with("spyhop.other.client");
  }

  /** This version on another HBase, whose jars the property {@code spyhop.other.hbase} lists. */
  String onOtherHBase() {
    return with(
        "spyhop.other.hbase",
        e -> !e.contains("/org/apache/hbase/") && !e.contains("/io/opentelemetry/"));
  }

  private String with(String property) {
    return with(property, OtherVersion::isKept);
  }

  private String with(String property, Predicate<String> kept) {
    String jars = System.getProperty(property, "");
    if (jars.isEmpty()) {
      throw new IllegalStateException(
          property + " is not set, see scripts/rolling-upgrade and scripts/hbase-upgrade");
    }
    return String.join(
        File.pathSeparator,
        Stream.concat(Arrays.stream(jars.split(File.pathSeparator)), ours.stream().filter(kept))
            .toList());
  }

  /** This version's classes go; tests' classes stay: programs and settings for logs. */
  private static boolean isKept(String entry) {
    boolean tests = entry.contains("test-classes") || entry.endsWith("/test");
    return tests || MODULES.stream().noneMatch(m -> entry.contains("/" + m + "/"));
  }
}
