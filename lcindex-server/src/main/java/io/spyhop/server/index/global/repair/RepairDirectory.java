package io.spyhop.server.index.global.repair;

import io.spyhop.server.seal.SideFiles;
import io.spyhop.server.seal.TableSeal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;

/**
 * The repair lists of a table, {@code .spyhop-repair/REGION-UUID} in the table's directory; HBase
 * overlooks the name and deletes the directory with the table. Notes of compactions are among them,
 * with {@code .staged} behind. Thread-safe.
 */
final class RepairDirectory {
  static final String NAME = ".spyhop-repair";
  private static final String NOTE = ".staged";

  private final FileSystem fs;
  private final Path directory;
  private final TableSeal seal;

  /**
   * @param seal of the table
   */
  RepairDirectory(FileSystem fs, Path tableDirectory, TableSeal seal) {
    this.fs = fs;
    this.seal = seal;
    this.directory = new Path(tableDirectory, NAME);
  }

  static RepairDirectory of(HRegion region) {
    HRegionFileSystem files = region.getRegionFileSystem();
    TableSeal seal =
        new TableSeal(
            region.getReadOnlyConfiguration(),
            family -> region.getTableDescriptor().getColumnFamily(family));
    return new RepairDirectory(files.getFileSystem(), files.getTableDir(), seal);
  }

  /** What keeps lists and notes of encrypted families secret. */
  TableSeal seal() {
    return seal;
  }

  FileSystem fs() {
    return fs;
  }

  /** A new file, unless the table has been deleted. */
  FSDataOutputStream create(Path path) throws IOException {
    return SideFiles.create(fs, directory.getParent(), path, false);
  }

  Path newList(String region) {
    return new Path(directory, region + "-" + UUID.randomUUID());
  }

  /** A new note of a compaction whose inputs are to be read again. */
  Path newNote(String region) {
    return newList(region).suffix(NOTE);
  }

  /** Whether it is a note of a compaction, and not a list. */
  static boolean isNote(Path path) {
    return path.getName().endsWith(NOTE);
  }

  static String regionOf(Path list) {
    int dash = list.getName().indexOf('-');
    return dash < 0 ? "" : list.getName().substring(0, dash);
  }

  List<FileStatus> lists() throws IOException {
    try {
      return List.of(fs.listStatus(directory));
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** Makes a list another region's; empty if another one was faster. */
  Optional<Path> adopt(Path list, String region) throws IOException {
    String name = list.getName().substring(regionOf(list).length());
    Path mine = new Path(directory, region + name);
    return fs.rename(list, mine) ? Optional.of(mine) : Optional.empty();
  }
}
