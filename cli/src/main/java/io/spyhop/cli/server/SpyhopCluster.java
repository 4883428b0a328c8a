package io.spyhop.cli.server;

import io.spyhop.cluster.ClusterSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings that install Spyhop on HBase's servers: those of {@code conf/hbase-site-spyhop.xml},
 * which is in this jar. Stateless.
 */
public final class SpyhopCluster {
  /** A resource, which the configuration of containers includes by this name. */
  private static final String INSTALLATION = "hbase-site-spyhop.xml";

  private static final String INDEX_DIRECTORY = "spyhop.ifile.dir";

  private SpyhopCluster() {}

  /** The settings of all servers that load Spyhop. */
  static Map<String, String> settings(String indexes) {
    Configuration installation = new Configuration(false);
    installation.addResource(INSTALLATION);
    Map<String, String> settings = new HashMap<>();
    installation.forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
    if (!settings.containsKey(INDEX_DIRECTORY)) {
      throw new IllegalStateException(
          INSTALLATION + " is not in this jar, or is cut off: it does not set " + INDEX_DIRECTORY);
    }
    settings.put(INDEX_DIRECTORY, indexes);
    return settings;
  }

  /**
   * The beginning of what a cluster of processes is to have: Spyhop, with this JVM's class path.
   *
   * @param dir where the cluster is going to be; its index files are below it
   */
  public static ClusterSpec.Builder in(Path dir) {
    Path indexes = dir.toAbsolutePath().normalize().resolve("data").resolve("ifiles");
    return ClusterSpec.builder().settings(settings("file://" + indexes));
  }
}
