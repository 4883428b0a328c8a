package io.spyhop.server.seal;

import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Creates files of ours in the directories of regions and tables. These are HBase's to make and to
 * delete: one that is gone is not made again by work that comes late. Stateless.
 */
public final class SideFiles {
  private SideFiles() {}

  /**
   * Creates a file, and the directories between.
   *
   * @param home the region's or table's directory, somewhere above the file
   * @param overwrite whether there may be such a file, which is replaced
   * @throws FileNotFoundException if the region or table has been deleted
   */
  public static FSDataOutputStream create(FileSystem fs, Path home, Path file, boolean overwrite)
      throws IOException {
    if (!fs.exists(home)) {
      throw new FileNotFoundException(home + " has been deleted, nothing is kept there any more");
    }
    fs.mkdirs(file.getParent());
    return fs.createNonRecursive(
        file,
        overwrite,
        fs.getConf().getInt(IO_FILE_BUFFER_SIZE_KEY, IO_FILE_BUFFER_SIZE_DEFAULT),
        fs.getDefaultReplication(file),
        fs.getDefaultBlockSize(file),
        null);
  }
}
