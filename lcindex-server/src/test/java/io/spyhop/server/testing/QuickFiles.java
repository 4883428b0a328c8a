package io.spyhop.server.testing;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Local files as Hadoop has them, without permissions and links: for each of those Hadoop runs a
 * process where its native library is not there, five for a note that is written.
 */
public final class QuickFiles extends RawLocalFileSystem {
  /** Local files for a test. */
  public static FileSystem open() throws IOException {
    FileSystem fs = new QuickFiles();
    fs.initialize(URI.create("file:///"), new Configuration());
    return fs;
  }

  @Override
  public void setPermission(Path path, FsPermission permission) {}

  @Override
  public FileStatus getFileLinkStatus(Path path) throws IOException {
    return getFileStatus(path);
  }
}
