package io.spyhop.server.job;

import io.spyhop.server.local.IndexDirectory;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a server keeps its index files. Thread-safe.
 *
 * <pre>
 *   on a local disk            spyhop.ifile.dir/host,port/region/   .tmp and .lock beside the regions
 *   on a shared file system    spyhop.ifile.dir/region/             .tmp/host,port/
 * </pre>
 *
 * On a local disk a lock file keeps a second process with the same host and port out (correctness
 * rule 9). On a shared file system, such as HDFS, a region finds its files wherever it is opened.
 */
final class ServerDirectory implements AutoCloseable {
  /** Names the root, any Hadoop file system; without it a directory under hbase.tmp.dir. */
  static final String ROOT = "spyhop.ifile.dir";

  private static final Logger LOG = LoggerFactory.getLogger(ServerDirectory.class);
  private static final String TEMPORARY = ".tmp";
  private static final String LOCK = ".lock";

  private static final String REPLICATION = "spyhop.ifile.replication";

  private final Configuration conf;
  private final FileSystem fs;
  private final Path root;
  private final Path temporary;
  private final boolean shared;
  private final Map<String, Long> absentSince = new HashMap<>();
  private RandomAccessFile lock;
  private boolean locked;
  private volatile String unusable;

  private ServerDirectory(Configuration conf, FileSystem fs, Path base, String server) {
    this.conf = conf;
    this.fs = fs;
    this.shared = !(fs instanceof RawLocalFileSystem);
    this.root = shared ? base : new Path(base, server);
    this.temporary =
        shared ? new Path(new Path(base, TEMPORARY), server) : new Path(root, TEMPORARY);
  }

  static ServerDirectory of(Configuration conf, ServerName server) throws IOException {
    Path base = new Path(conf.get(ROOT, "file://" + defaultRoot(conf)));
    FileSystem fs = base.getFileSystem(conf);
    if (fs instanceof LocalFileSystem local) {
      fs = local.getRaw();
    } else {
      Configuration once = new Configuration(conf);
      once.setInt("dfs.replication", conf.getInt(REPLICATION, 1));
      fs = FileSystem.newInstance(base.toUri(), once);
    }
    String name = server.getHostname() + "," + server.getPort();
    return new ServerDirectory(conf, fs, fs.makeQualified(base), name);
  }

  /** Whether all servers see the same files. */
  boolean isShared() {
    return shared;
  }

  private static String defaultRoot(Configuration conf) {
    return new File(conf.get("hbase.tmp.dir"), "spyhop").getAbsolutePath();
  }

  IndexDirectory region(String encodedName) {
    return new IndexDirectory(fs, conf, new Path(root, encodedName), temporary);
  }

  /** Takes the directory for this process, if not yet done, and empties {@code .tmp}. */
  synchronized void ensureLocked() throws IOException {
    if (locked) {
      return;
    }
    try {
      if (!fs.mkdirs(root)) {
        throw new IOException("cannot create the index directory " + root);
      }
      if (!shared) {
        lockFile(new File(new Path(root, LOCK).toUri().getPath()));
      }
      fs.delete(temporary, true);
      locked = true;
      unusable = null;
    } catch (IOException e) {
      unusable = e.toString();
      throw e;
    }
  }

  private void lockFile(File file) throws IOException {
    RandomAccessFile opened = new RandomAccessFile(file, "rw");
    boolean mine = false;
    try {
      mine = opened.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException e) {
      LOG.debug("{} is locked within this process", file, e);
    } finally {
      if (!mine) {
        opened.close();
      }
    }
    if (!mine) {
      throw new IOException(
          root
              + " is in use by another process: give each server a directory of its own in "
              + ROOT);
    }
    lock = opened;
  }

  /** Why no index files can be kept, if so. */
  Optional<String> unusable() {
    return Optional.ofNullable(unusable);
  }

  /**
   * Deletes directories of regions that have not been open here since then, as far as this object
   * has seen. On a shared file system they may be open elsewhere: there, the one server that holds
   * hbase:meta deletes those of regions that no longer exist.
   *
   * @param isOpen whether a region is open here, by its encoded name
   * @param now milliseconds
   * @param absentMillis how long a region must have been seen absent
   */
  synchronized void sweep(
      Predicate<String> isOpen, long now, long absentMillis, RegionServerServices server)
      throws IOException {
    if (!locked || shared && server.getRegions(TableName.META_TABLE_NAME).isEmpty()) {
      return;
    }
    Predicate<String> keep = shared ? existing(server)::contains : isOpen;
    Set<String> found = new HashSet<>();
    for (FileStatus status : list()) {
      String name = status.getPath().getName();
      if (!status.isDirectory() || name.startsWith(".")) {
        continue;
      }
      found.add(name);
      if (keep.test(name)) {
        absentSince.remove(name);
      } else if (now - absentSince.computeIfAbsent(name, n -> now) >= absentMillis) {
        LOG.info("Deleting the index files of region {}, which is elsewhere or gone", name);
        fs.delete(status.getPath(), true);
      }
    }
    absentSince.keySet().retainAll(found);
  }

  /** The encoded names of all regions that have a directory in HBase's root. */
  private static Set<String> existing(RegionServerServices server) throws IOException {
    Set<String> names = new HashSet<>();
    Path rootDir = CommonFSUtils.getRootDir(server.getConfiguration());
    FileSystem fs = server.getFileSystem();
    for (Path table : FSUtils.getTableDirs(fs, rootDir)) {
      for (Path region : FSUtils.getRegionDirs(fs, table)) {
        names.add(region.getName());
      }
    }
    return names;
  }

  private FileStatus[] list() throws IOException {
    try {
      return fs.listStatus(root);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  @Override
  public synchronized void close() {
    locked = false;
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        LOG.warn("Cannot release the lock of {}", root, e);
      }
      lock = null;
    }
    if (shared) {
      try {
        fs.close();
      } catch (IOException e) {
        LOG.warn("Cannot close {}", fs.getUri(), e);
      }
    }
  }
}
