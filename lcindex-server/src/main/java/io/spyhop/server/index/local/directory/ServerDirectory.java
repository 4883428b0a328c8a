package io.spyhop.server.index.local.directory;

import io.spyhop.core.io.IoFunction;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.OpenFiles;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a server's index files. Thread-safe.
 *
 * <pre>
 *   on a local disk            spyhop.ifile.dir/host,port/region/   .tmp, .lock and .absent beside the regions
 *   on a shared file system    spyhop.ifile.dir/region/             .tmp/host,port/ and .absent
 * </pre>
 *
 * The directory that holds the regions' has this cluster's mark ({@link DirectoryMark}), or nothing
 * in it is written or deleted; when it has lost it, it is given up, and taken again when it can be.
 * On a local disk a lock file keeps a second process with the same host and port out (correctness
 * rule 9). On a shared file system, such as HDFS, a region finds its files wherever it is opened.
 * What is made is for the server's user alone, in a directory that no other user can exchange
 * ({@link DirectoryRights}).
 */
public final class ServerDirectory implements AutoCloseable {
  /**
   * Names the root, any Hadoop file system; without it a directory under hbase.tmp.dir, if nobody
   * else may write in or above that.
   */
  public static final String ROOT = "spyhop.ifile.dir";

  private static final Logger LOG = LoggerFactory.getLogger(ServerDirectory.class);
  static final String TEMPORARY = ".tmp";
  static final String LOCK = ".lock";

  private static final long FIRST_PAUSE = 2_000;
  private static final long LONGEST_PAUSE = 300_000;
  private static final String UMASK = "077";

  private final Configuration conf;
  private final FileSystem fs;
  private final Path root;
  private final Path temporary;
  private final DirectoryOwner owner;
  private final RegionSweep sweep;
  private final DirectoryRights rights;
  private final HBaseRoot hbase;
  private final OpenFiles openFiles;
  private final boolean shared;
  private FileChannel lock;
  private boolean locked;
  private long pause = FIRST_PAUSE;
  private long retryAt;
  private volatile String unusable;

  private ServerDirectory(
      Configuration conf,
      FileSystem fs,
      Path base,
      boolean isNamed,
      String server,
      HBaseRoot hbase,
      OpenFiles openFiles)
      throws IOException {
    this.conf = conf;
    this.openFiles = openFiles;
    this.fs = fs;
    this.hbase = hbase;
    this.shared = !(fs instanceof PrivateFileSystem);
    this.root = shared ? base : new Path(base, server);
    this.temporary =
        shared ? new Path(new Path(base, TEMPORARY), server) : new Path(root, TEMPORARY);
    this.owner = new DirectoryOwner(fs, base, root, shared, hbase);
    this.sweep = new RegionSweep(fs, root, owner, hbase);
    this.rights = shared ? sharedRights() : localRights(base, isNamed);
  }

  private DirectoryRights sharedRights() throws IOException {
    return new SharedRights(
        fs,
        root,
        User.getCurrent().getShortName(),
        conf.getTrimmedStringCollection(Superusers.SUPERUSER_CONF_KEY));
  }

  private DirectoryRights localRights(Path base, boolean isNamed) {
    return new LocalRights(file(root), isNamed ? Optional.empty() : Optional.of(file(base)));
  }

  private static java.nio.file.Path file(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  /**
   * The directory of a server.
   *
   * @param openFiles those of its files that are in memory
   */
  public static ServerDirectory of(
      Configuration conf, ServerName server, HBaseRoot hbase, OpenFiles openFiles)
      throws IOException {
    DirectorySettings settings = DirectorySettings.of(conf);
    Path base = new Path(settings.root());
    FileSystem fs = fileSystem(conf, base, settings.replication());
    String name = server.getHostname() + "," + server.getPort();
    return new ServerDirectory(
        conf, fs, fs.makeQualified(base), settings.isNamed(), name, hbase, openFiles);
  }

  private static FileSystem fileSystem(Configuration conf, Path base, int replication)
      throws IOException {
    FileSystem fs = base.getFileSystem(conf);
    if (fs instanceof LocalFileSystem || fs instanceof RawLocalFileSystem) {
      return PrivateFileSystem.of(conf);
    }
    Configuration once = new Configuration(conf);
    once.setInt("dfs.replication", replication);
    once.set(CommonConfigurationKeys.FS_PERMISSIONS_UMASK_KEY, UMASK);
    return FileSystem.newInstance(base.toUri(), once);
  }

  /** Whether all servers see the same files. */
  public boolean isShared() {
    return shared;
  }

  public IndexDirectory region(String encodedName) {
    return new IndexDirectory(fs, conf, new Path(root, encodedName), temporary, openFiles);
  }

  /**
   * Takes the directory for this process, if not yet done, and empties {@code .tmp}.
   *
   * @throws IOException if it is not this cluster's, or others could change it, or it is in use by
   *     another process; it is as it was
   */
  public synchronized void ensureLocked() throws IOException {
    if (locked) {
      return;
    }
    try {
      owner.requireApart();
      rights.require();
      owner.requireOursOrFree();
      if (!fs.mkdirs(root)) {
        throw new IOException("cannot create the index directory " + root);
      }
      if (!shared) {
        lockFile(file(new Path(root, LOCK)));
      }
      rights.tighten();
      owner.mark();
      fs.delete(temporary, true);
      locked = true;
      unusable = null;
      pause = FIRST_PAUSE;
    } catch (IOException e) {
      release();
      refused(e);
      throw e;
    }
  }

  /**
   * Whether index files can be kept. Takes the directory if need be; after a refusal it looks again
   * in 2 s, then in twice as long each time, up to 5 minutes, since a look may be long: it goes
   * through the directories of all regions.
   *
   * @param clock milliseconds
   */
  public synchronized boolean isReady(LongSupplier clock) {
    if (!locked && clock.getAsLong() >= retryAt) {
      try {
        ensureLocked();
      } catch (IOException e) {
        LOG.debug("Tried again later", e);
        retryAt = clock.getAsLong() + pause;
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
      }
    }
    return locked;
  }

  /**
   * Makes sure of the directory before something is written.
   *
   * @param clock milliseconds
   * @throws IOException if index files cannot be kept
   */
  public synchronized void require(LongSupplier clock) throws IOException {
    leaveIfLost();
    if (!isReady(clock)) {
      throw new IOException(unusable);
    }
  }

  /** Without its mark it is another directory than was taken, as after the loss of a disk. */
  private void leaveIfLost() {
    if (!locked) {
      return;
    }
    try {
      owner.requireMarked();
    } catch (IOException e) {
      locked = false;
      release();
      refused(e);
    }
  }

  /**
   * Writes a file and deletes it.
   *
   * @return how many bytes there is room for
   * @throws IOException if index files cannot be kept
   */
  public synchronized long probe() throws IOException {
    leaveIfLost();
    ensureLocked();
    Path file = new Path(temporary, "probe");
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.writeByte(0);
    }
    fs.delete(file, false);
    return fs.getStatus(root).getRemaining();
  }

  /**
   * How many bytes there is room for on this server's own disk.
   *
   * @return NaN if it cannot be told: the directory is not on a disk of this server, or unusable
   */
  public double room() {
    File own = file(root).toFile();
    return shared || unusable != null || !own.isDirectory() ? Double.NaN : own.getUsableSpace();
  }

  @Override
  public String toString() {
    return root.toString();
  }

  private void refused(IOException e) {
    String why = e.toString();
    if (!why.equals(unusable)) {
      LOG.error("No index files are kept on this server, its regions are scanned: {}", why);
    }
    unusable = why;
  }

  private void lockFile(java.nio.file.Path file) throws IOException {
    FileChannel opened =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PrivateFileSystem.NEW_FILE);
    boolean mine = false;
    try {
      mine = opened.tryLock() != null;
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
  public Optional<String> unusable() {
    return Optional.ofNullable(unusable);
  }

  /**
   * Deletes directories of regions that have not been open here for long, and of those that are
   * gone ({@link RegionSweep}). On a shared file system they may be open elsewhere: there, the one
   * server that holds hbase:meta deletes those of regions that HBase has no directory of.
   *
   * @param isOpen whether a region is open here, by its encoded name
   * @param now milliseconds
   * @param holdsMeta whether hbase:meta is open here
   */
  public synchronized void sweep(
      Predicate<String> isOpen,
      IoFunction<Set<String>, Set<String>> meta,
      long now,
      RegionSweep.Terms terms,
      boolean holdsMeta)
      throws IOException {
    leaveIfLost();
    if (!locked || shared && !holdsMeta) {
      return;
    }
    Predicate<String> isPresent = shared ? hbase.regions()::contains : isOpen;
    sweep.sweep(isPresent, meta, now, terms);
  }

  @Override
  public synchronized void close() {
    locked = false;
    release();
    if (shared) {
      try {
        fs.close();
      } catch (IOException e) {
        LOG.warn("Cannot close {}", fs.getUri(), e);
      }
    }
  }

  private void release() {
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
