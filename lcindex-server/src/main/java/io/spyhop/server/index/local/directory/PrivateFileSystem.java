package io.spyhop.server.index.local.directory;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system, on which what is made is for its owner alone from its first moment,
 * whatever umask the process has: directories have the mode 0700 and files 0600. Thread-safe.
 */
final class PrivateFileSystem extends RawLocalFileSystem {
  static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
  static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  static final FileAttribute<Set<PosixFilePermission>> NEW_FILE =
      PosixFilePermissions.asFileAttribute(FILE);

  private static final FileAttribute<Set<PosixFilePermission>> NEW_DIRECTORY =
      PosixFilePermissions.asFileAttribute(DIRECTORY);

  private PrivateFileSystem() {}

  static PrivateFileSystem of(Configuration conf) throws IOException {
    PrivateFileSystem fs = new PrivateFileSystem();
    fs.initialize(FsConstants.LOCAL_FS_URI, conf);
    return fs;
  }

  /** Hadoop's own asks a process to change a file's mode once it is there. */
  @Override
  protected OutputStream createOutputStreamWithMode(
      Path path, boolean append, FsPermission permission) throws IOException {
    if (!append) {
      java.nio.file.Path file = pathToFile(path).toPath();
      Files.deleteIfExists(file);
      Files.createFile(file, NEW_FILE);
    }
    return super.createOutputStreamWithMode(path, true, null);
  }

  @Override
  protected boolean mkOneDirWithMode(Path path, File directory, FsPermission permission)
      throws IOException {
    try {
      Files.createDirectory(directory.toPath(), NEW_DIRECTORY);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }
}
