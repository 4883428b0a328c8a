package io.spyhop.server.job;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;

/** What HBase's own directories say of the cluster. Stateless, thread-safe. */
class HBaseRoot {
  private final Configuration conf;

  HBaseRoot(Configuration conf) {
    this.conf = conf;
  }

  /** The directories that are HBase's own: its root, and that of its logs. */
  List<Path> directories() throws IOException {
    return List.of(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
  }

  /** What tells this cluster from all others. */
  String clusterId() throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    ClusterId id = FSUtils.getClusterId(root.getFileSystem(conf), root);
    if (id == null) {
      throw new IOException("HBase's root " + root + " has no cluster id yet");
    }
    return id.toString();
  }

  /** The encoded names of all regions that have a directory. */
  Set<String> regions() throws IOException {
    return regions(CommonFSUtils.getRootDir(conf));
  }

  /** The same, and of those whose HFiles are in the archive. */
  Set<String> regionsAndArchived() throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    Set<String> names = regions(root);
    names.addAll(regions(new Path(root, HConstants.HFILE_ARCHIVE_DIRECTORY)));
    return names;
  }

  private Set<String> regions(Path root) throws IOException {
    Set<String> names = new HashSet<>();
    FileSystem fs = root.getFileSystem(conf);
    for (Path table : FSUtils.getTableDirs(fs, root)) {
      for (Path region : FSUtils.getRegionDirs(fs, table)) {
        names.add(region.getName());
      }
    }
    return names;
  }
}
