package io.spyhop.server.index.local.directory;

import io.spyhop.core.conf.CheckedSettings;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of the directory of index files, {@code spyhop.ifile.*} in hbase-site.xml;
 * docs/operations.md explains them.
 *
 * @param root the directory, of any Hadoop file system
 * @param isNamed whether a setting says so; else it is below hbase.tmp.dir
 * @param replication of the files where the file system replicates
 */
public record DirectorySettings(String root, boolean isNamed, int replication) {
  private static final Logger LOG = LoggerFactory.getLogger(DirectorySettings.class);
  private static final int MOST_REPLICAS = 512;

  /** Reads the settings; absent and wrong ones have their defaults. */
  public static DirectorySettings of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    String usual = "file://" + new File(conf.get("hbase.tmp.dir"), "spyhop").getAbsolutePath();
    String root =
        set.text(
            ServerDirectory.ROOT,
            usual,
            "an absolute path or URI of a file system that is there",
            text -> isDirectory(conf, text));
    return new DirectorySettings(
        root,
        root.equals(conf.getTrimmed(ServerDirectory.ROOT)),
        set.integer("spyhop.ifile.replication", 1, 1, MOST_REPLICAS));
  }

  /** File systems that are set wrongly are refused with exceptions of many classes. */
  private static boolean isDirectory(Configuration conf, String text) {
    try {
      Path path = new Path(text);
      return path.isAbsolute() && path.getFileSystem(conf) != null;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} is not taken for index files: {}", text, e.toString());
      return false;
    }
  }
}
