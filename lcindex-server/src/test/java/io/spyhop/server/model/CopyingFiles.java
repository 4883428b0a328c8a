package io.spyhop.server.model;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * HDFS with the renames of an object store: file by file each is copied, and then all are deleted.
 * A copy is there whole or not at all, as what is put into a store. Logs of writes, which belong on
 * HDFS, are renamed as ever.
 */
public final class CopyingFiles extends DistributedFileSystem {
  private static final Path COPIES = new Path("/.copies");
  private static final int BUFFER = 1 << 16;

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (isLog(from) || isLog(to)) {
      return super.rename(from, to);
    }
    if (!exists(from)) {
      return false;
    }
    boolean into = exists(to) && getFileStatus(to).isDirectory();
    Path target = into ? new Path(to, from.getName()) : to;
    if (exists(target) || !exists(target.getParent())) {
      return false;
    }
    copy(getFileStatus(from), target);
    return delete(from, true);
  }

  private static boolean isLog(Path path) {
    String text = path.toUri().getPath();
    return text.contains("/WALs") || text.contains("/oldWALs") || text.contains("/MasterData");
  }

  private void copy(FileStatus from, Path to) throws IOException {
    if (from.isDirectory()) {
      mkdirs(to);
      for (FileStatus child : listStatus(from.getPath())) {
        copy(child, new Path(to, child.getPath().getName()));
      }
      return;
    }
    Path copy = new Path(COPIES, UUID.randomUUID().toString());
    try (FSDataInputStream in = open(from.getPath());
        FSDataOutputStream out = create(copy)) {
      IOUtils.copyBytes(in, out, BUFFER);
    }
    if (!super.rename(copy, to)) {
      throw new IOException("there is a '" + to + "' by now");
    }
  }
}
