package io.spyhop.server.index.local.directory;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;

/** Reads HBase's own directories for the state of the cluster. Thread-safe. */
public class HBaseRoot {
  private final Configuration conf;
  private volatile String clusterId;

  public HBaseRoot(Configuration conf) {
    this.conf = conf;
  }

  /** The directories that are HBase's own: its root, and that of its logs. */
  List<Path> directories() throws IOException {
    return List.of(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
  }

  /** What tells this cluster from all others. It stays, and is asked for before each index job. */
  String clusterId() throws IOException {
    if (clusterId == null) {
      Path root = CommonFSUtils.getRootDir(conf);
      ClusterId id = FSUtils.getClusterId(root.getFileSystem(conf), root);
      if (id == null) {
        throw new IOException("HBase's root " + root + " has no cluster id yet");
      }
      clusterId = id.toString();
    }
    return clusterId;
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

  /**
   * The encoded names of all regions whose HFiles may be read, under whatever name: those that have
   * a directory, and of those in the archive whatever a table has links to, or all while there is a
   * snapshot, of which a table may be made at any time.
   */
  Set<String> readableRegions() throws IOException {
    if (hasSnapshots()) {
      return regionsAndArchived();
    }
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem fs = root.getFileSystem(conf);
    Set<String> names = regions(root);
    for (Path region : directories(new Path(root, HConstants.HFILE_ARCHIVE_DIRECTORY))) {
      if (!names.contains(region.getName()) && hasLinks(fs, region)) {
        names.add(region.getName());
      }
    }
    return names;
  }

  /** Whether there are any, whole or in the making. */
  private boolean hasSnapshots() throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    Path snapshots = SnapshotDescriptionUtils.getSnapshotsDir(root);
    Path making = SnapshotDescriptionUtils.getWorkingSnapshotDir(root, conf);
    FileSystem fs = root.getFileSystem(conf);
    for (FileStatus s : list(fs, snapshots)) {
      if (!s.getPath().getName().equals(making.getName())) {
        return true;
      }
    }
    return list(making.getFileSystem(conf), making).length > 0;
  }

  private static boolean hasLinks(FileSystem fs, Path region) throws IOException {
    for (FileStatus family : list(fs, region)) {
      for (FileStatus file :
          family.isDirectory() ? list(fs, family.getPath()) : new FileStatus[0]) {
        if (HFileLink.isBackReferencesDir(file.getPath())) {
          return true;
        }
      }
    }
    return false;
  }

  private static FileStatus[] list(FileSystem fs, Path directory) throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  private Set<String> regions(Path root) throws IOException {
    Set<String> names = new HashSet<>();
    directories(root).forEach(region -> names.add(region.getName()));
    return names;
  }

  /** The directories of all regions below a directory that has those of tables. */
  private List<Path> directories(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    FileSystem fs = root.getFileSystem(conf);
    for (Path table : FSUtils.getTableDirs(fs, root)) {
      found.addAll(FSUtils.getRegionDirs(fs, table));
    }
    return found;
  }
}
