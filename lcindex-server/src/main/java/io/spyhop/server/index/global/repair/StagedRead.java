package io.spyhop.server.index.global.repair;

import io.spyhop.server.memory.UnshippedBytes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;

/**
 * Reads the inputs of a compaction once more after it (DELI, section V.B, staged design), where
 * they were or in HBase's archive. Not thread-safe.
 */
final class StagedRead {

  private final HRegion region;
  private final StagedNote note;
  private final Configuration conf;
  private final FileSystem fs;

  /**
   * @param region an open region of the table
   */
  StagedRead(HRegion region, StagedNote note) {
    this.region = region;
    this.note = note;
    this.conf = region.getReadOnlyConfiguration();
    this.fs = region.getRegionFileSystem().getFileSystem();
  }

  /** Takes cells. */
  @FunctionalInterface
  interface CellVisitor {
    /** A cell, valid during the call only; false to end. */
    boolean cell(Cell cell) throws IOException;
  }

  /**
   * Shows all cells, in order, of which the latest written is first among equal ones.
   *
   * @throws FileNotFoundException if a file is gone
   */
  void read(HStore store, CellVisitor sink) throws IOException {
    List<HStoreFile> files = new ArrayList<>();
    List<StoreFileScanner> scanners = new ArrayList<>();
    try {
      for (String name : note.inputs()) {
        HStoreFile file = file(find(name));
        files.add(file);
        file.initReader();
      }
      files.sort(SpyhopAccess.byAge());
      for (HStoreFile f : files) {
        StoreFileScanner s =
            f.getStreamScanner(false, false, true, Long.MAX_VALUE, scanners.size(), false);
        scanners.add(s);
        s.seek(KeyValue.LOWESTKEY);
      }
      show(new KeyValueHeap(scanners, store.getComparator()), sink);
    } finally {
      scanners.forEach(StoreFileScanner::close);
      close(files);
    }
  }

  private static void show(KeyValueHeap cells, CellVisitor sink) throws IOException {
    UnshippedBytes unshipped = new UnshippedBytes();
    for (Cell c = cells.peek(); c != null && sink.cell(c); c = cells.peek()) {
      cells.next();
      if (unshipped.add(c)) {
        cells.shipped();
      }
    }
  }

  private static void close(List<HStoreFile> files) throws IOException {
    for (HStoreFile f : files) {
      f.closeStoreFile(true);
    }
  }

  /** By the constructors that HBase 2.5 to 3.0 have in common. */
  private HStoreFile file(Path path) throws IOException {
    Reference half = StoreFileInfo.isReference(path) ? Reference.read(fs, path) : null;
    Path whole = half == null ? path : StoreFileInfo.getReferredToFile(path);
    HFileLink link =
        HFileLink.isHFileLink(whole) ? HFileLink.buildFromHFileLinkPattern(conf, whole) : null;
    StoreFileInfo info = new StoreFileInfo(conf, fs, fs.getFileStatus(path), half, link);
    return new HStoreFile(info, BloomType.NONE, CacheConfig.DISABLED);
  }

  private Path find(String name) throws IOException {
    HRegionFileSystem files = region.getRegionFileSystem();
    TableName table = region.getTableDescriptor().getTableName();
    String family = Bytes.toString(note.family());
    Path store = new Path(new Path(files.getTableDir(), note.region()), family);
    Path archive = HFileArchiveUtil.getStoreArchivePath(conf, table, note.region(), family);
    for (Path directory : List.of(store, archive, store)) {
      Path path = new Path(directory, name);
      if (fs.exists(path)) {
        return path;
      }
    }
    throw new FileNotFoundException(name + " is neither in " + store + " nor in " + archive);
  }
}
