package io.spyhop.server.index.local.directory;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights to a directory on a file system that all servers share: those of the directory itself,
 * as there is no other way to what is in it. Stateless, thread-safe.
 */
final class SharedRights implements DirectoryRights {
  private static final Logger LOG = LoggerFactory.getLogger(SharedRights.class);
  private static final FsPermission OWN = new FsPermission((short) 0700);
  private static final int RIGHTS_OF_OTHERS = 077;

  private final FileSystem fs;
  private final Path root;
  private final String user;
  private final Collection<String> servers;

  /**
   * @param user who this server is there
   * @param servers the superusers, which include servers that run as other users
   */
  SharedRights(FileSystem fs, Path root, String user, Collection<String> servers) {
    this.fs = fs;
    this.root = root;
    this.user = user;
    this.servers = servers;
  }

  @Override
  public void require() throws IOException {
    String owner;
    try {
      owner = fs.getFileStatus(root).getOwner();
    } catch (FileNotFoundException e) {
      return;
    }
    if (!owner.isEmpty() && !owner.equals(user) && !servers.contains(owner)) {
      throw new IOException(
          "cannot keep index files in "
              + root
              + ": it belongs to "
              + owner
              + ": set "
              + ServerDirectory.ROOT
              + " to a directory of the user "
              + user
              + ", or name in hbase.superuser the users that other servers run as");
    }
  }

  /** What a server made as another user, that server tightens. */
  @Override
  public void tighten() throws IOException {
    FileStatus status = fs.getFileStatus(root);
    if (isOpen(status) && status.getOwner().equals(user)) {
      fs.setPermission(root, OWN);
      status = fs.getFileStatus(root);
    }
    if (isOpen(status)) {
      LOG.warn(
          "{} has the mode {}: what its file system shows to others, it shows of index files",
          root,
          status.getPermission());
    }
  }

  private static boolean isOpen(FileStatus status) {
    return (status.getPermission().toShort() & RIGHTS_OF_OTHERS) != 0;
  }
}
