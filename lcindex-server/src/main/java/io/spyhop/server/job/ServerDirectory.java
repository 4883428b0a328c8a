package io.spyhop.server.job;

import io.spyhop.server.local.IndexDirectory;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index files of one server: {@code spyhop.ifile.dir/host,port/region/}, {@code .tmp} beside
 * the regions. Thread-safe.
 *
 * <p>On a local file system a lock file keeps a second process with the same host and port out
 * (correctness rule 9).
 */
final class ServerDirectory implements AutoCloseable {
  /** Names the root, any Hadoop file system; without it a directory under hbase.tmp.dir. */
  static final String ROOT = "spyhop.ifile.dir";

  private static final Logger LOG = LoggerFactory.getLogger(ServerDirectory.class);
  private static final String TEMPORARY = ".tmp";
  private static final String LOCK = ".lock";

  private final FileSystem fs;
  private final Configuration conf;
  private final Path root;
  private RandomAccessFile lock;
  private boolean locked;
  private volatile String unusable;

  private ServerDirectory(FileSystem fs, Configuration conf, Path root) {
    this.fs = fs;
    this.conf = conf;
    this.root = root;
  }

  static ServerDirectory of(Configuration conf, ServerName server) throws IOException {
    String configured = conf.get(ROOT, "file://" + defaultRoot(conf));
    Path base = new Path(configured);
    FileSystem fs = base.getFileSystem(conf);
    if (fs instanceof LocalFileSystem local) {
      fs = local.getRaw();
    }
    String name = server.getHostname() + "," + server.getPort();
    return new ServerDirectory(fs, conf, new Path(base, name));
  }

  private static String defaultRoot(Configuration conf) {
    return new File(conf.get("hbase.tmp.dir"), "spyhop").getAbsolutePath();
  }

  IndexDirectory region(String encodedName) {
    return new IndexDirectory(fs, conf, new Path(root, encodedName), new Path(root, TEMPORARY));
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
      if (fs instanceof RawLocalFileSystem) {
        lockFile(new File(new Path(root, LOCK).toUri().getPath()));
      }
      fs.delete(new Path(root, TEMPORARY), true);
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

  /** Deletes directories of regions that are not open here and were last written before then. */
  synchronized void sweep(Set<String> openRegions, long before) throws IOException {
    if (!locked) {
      return;
    }
    for (FileStatus status : list()) {
      String name = status.getPath().getName();
      boolean region = status.isDirectory() && !name.startsWith(".");
      if (region && !openRegions.contains(name) && status.getModificationTime() < before) {
        LOG.info("Deleting the index files of region {}, which is elsewhere", name);
        fs.delete(status.getPath(), true);
      }
    }
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
  }
}
