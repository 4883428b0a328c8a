package io.spyhop.server.index.stats;

import io.spyhop.server.seal.Sealed;
import io.spyhop.server.seal.SideFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The side files of a region, {@code .spyhop-statistics/FAMILY/HFILE} in the region's directory;
 * HBase overlooks the name and deletes it with the region. Thread-safe.
 */
final class StatisticsDirectory {
  static final String NAME = ".spyhop-statistics";

  private static final Logger LOG = LoggerFactory.getLogger(StatisticsDirectory.class);
  private static final int MAX_LENGTH = 64 << 20;

  private final FileSystem fs;
  private final Path root;
  private final Path region;
  private final Configuration conf;
  private final TableDescriptor table;

  private StatisticsDirectory(HRegion of) throws IOException {
    HRegionFileSystem files = of.getRegionFileSystem();
    this.conf = of.getReadOnlyConfiguration();
    this.table = of.getTableDescriptor();
    this.fs = files.getFileSystem();
    this.root = CommonFSUtils.getRootDir(conf);
    this.region = files.getRegionDir();
  }

  static StatisticsDirectory of(HRegion region) throws IOException {
    return new StatisticsDirectory(region);
  }

  private static Path side(Path region, String family, String hfile) {
    return new Path(new Path(new Path(region, NAME), family), hfile);
  }

  /** Keeps the statistics of an HFile, in place of others; encrypted where the HFile is. */
  void write(String family, FileStatistics statistics) throws IOException {
    ColumnFamilyDescriptor descriptor = table.getColumnFamily(Bytes.toBytes(family));
    byte[] bytes = Sealed.seal(statistics.encode(), conf, descriptor);
    Path side = side(region, family, statistics.hfile());
    try (FSDataOutputStream out = SideFiles.create(fs, region, side, true)) {
      out.write(bytes);
    }
  }

  /**
   * The statistics of an HFile of the region: its own, or those of the whole file of which it is a
   * half, or to which it is a link. Empty if there are none that can be read.
   *
   * @param path of the HFile, as the store has it
   */
  Optional<FileStatistics> find(String family, Path path) {
    Optional<FileStatistics> own = read(side(region, family, path.getName()));
    if (own.isPresent()) {
      return own;
    }
    for (Path other : origins(family, path)) {
      Optional<FileStatistics> found = read(other);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private List<Path> origins(String family, Path path) {
    List<Path> origins = new ArrayList<>();
    Path whole = path;
    if (StoreFileInfo.isReference(path)) {
      whole = StoreFileInfo.getReferredToFile(path);
      origins.add(side(whole.getParent().getParent(), family, whole.getName()));
    }
    if (HFileLink.isHFileLink(whole)) {
      TableName table = HFileLink.getReferencedTableName(whole.getName());
      String origin = HFileLink.getReferencedRegionName(whole.getName());
      Path directory = new Path(CommonFSUtils.getTableDir(root, table), origin);
      origins.add(side(directory, family, HFileLink.getReferencedHFileName(whole.getName())));
    }
    return origins;
  }

  private Optional<FileStatistics> read(Path path) {
    try {
      byte[] bytes = Sealed.open(SideFiles.read(fs, path, MAX_LENGTH), conf);
      return Optional.of(FileStatistics.decode(path.getName(), bytes));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("Cannot use {}; its HFile is read instead", path, e);
      return Optional.empty();
    }
  }

  /** Deletes the side files of a family whose HFiles are not among these. */
  void retainOnly(String family, Set<String> hfiles) throws IOException {
    FileStatus[] all;
    try {
      all = fs.listStatus(new Path(new Path(region, NAME), family));
    } catch (FileNotFoundException e) {
      return;
    }
    for (FileStatus f : all) {
      if (!hfiles.contains(f.getPath().getName())) {
        fs.delete(f.getPath(), false);
      }
    }
  }

  /** Deletes the side file of an HFile that is gone. */
  void delete(String family, String hfile) throws IOException {
    fs.delete(side(region, family, hfile), false);
  }
}
