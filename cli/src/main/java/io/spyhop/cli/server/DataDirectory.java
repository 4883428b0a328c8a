package io.spyhop.cli.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/**
 * The directory of an embedded HBase: {@code hbase/}, {@code zookeeper/}, {@code ifiles/}, {@code
 * tmp/}, {@code lock} and {@code hbase.log}. Immutable.
 */
public final class DataDirectory {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path root;
  private final boolean temporary;

  private DataDirectory(Path root, boolean temporary) {
    this.root = root;
    this.temporary = temporary;
  }

  /**
   * A directory that the user named; it is made where it is missing, for this user alone, and stays
   * afterwards.
   *
   * @throws IOException if it cannot be made or written, or holds something and no HBase was here
   */
  public static DataDirectory of(Path root) throws IOException {
    DataDirectory dir = made(root);
    if (!Files.exists(dir.lock()) && dir.holdsSomething()) {
      throw new IOException(
          "the directory '"
              + dir
              + "' holds something that is none of ours: name an empty one, or one of 'spyhop"
              + " server'");
    }
    return dir;
  }

  private static DataDirectory made(Path root) throws IOException {
    Path absolute = Objects.requireNonNull(root, "root").toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute, OWNER_ONLY);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("'" + absolute + "' is not a directory", e);
    } catch (IOException e) {
      throw new IOException("cannot make the directory '" + absolute + "': " + e, e);
    }
    if (!Files.isWritable(absolute)) {
      throw new IOException("the directory '" + absolute + "' is not writable");
    }
    return new DataDirectory(absolute, false);
  }

  /**
   * A directory that the user named for a run that begins with nothing.
   *
   * @throws IOException if it holds something, cannot be made or cannot be written
   */
  public static DataDirectory empty(Path root) throws IOException {
    DataDirectory dir = made(root);
    if (dir.holdsSomething()) {
      throw new IOException("the directory '" + dir + "' is not empty");
    }
    return dir;
  }

  private boolean holdsSomething() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.findAny().isPresent();
    }
  }

  /** A fresh directory under the JVM's temporary directory, for one run. */
  public static DataDirectory temporary() throws IOException {
    return new DataDirectory(Files.createTempDirectory("spyhop-").toAbsolutePath(), true);
  }

  /** The directory itself. */
  public Path root() {
    return root;
  }

  /** Whether nobody wants the contents after the run. */
  public boolean isTemporary() {
    return temporary;
  }

  /** HBase's log. */
  public Path log() {
    return root.resolve("hbase.log");
  }

  /** Held while an HBase runs here. */
  Path lock() {
    return root.resolve("lock");
  }

  /** ZooKeeper's files. */
  File zookeeper() {
    return root.resolve("zookeeper").toFile();
  }

  /** A part of the directory as Hadoop names paths. */
  String uri(String part) {
    return "file://" + root.resolve(part);
  }

  /** A part of the directory as a plain path. */
  String path(String part) {
    return root.resolve(part).toString();
  }

  /**
   * Deletes the directory with all it holds.
   *
   * @throws IOException if something is left
   */
  public void delete() throws IOException {
    if (!FileUtil.fullyDelete(root.toFile()) && Files.exists(root)) {
      throw new IOException("the temporary directory '" + root + "' could not be deleted");
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
