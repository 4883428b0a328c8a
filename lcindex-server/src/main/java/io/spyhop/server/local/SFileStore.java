package io.spyhop.server.local;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes and reads SFiles. On the disk an SFile is an HFile with one cell, so that it is encrypted
 * where the family is: its bounds are values of the column. Stateless.
 */
final class SFileStore {
  private static final byte[] ROW = Bytes.toBytes("sfile");
  private static final byte[] NONE = {};

  private SFileStore() {}

  /** Writes and syncs. */
  static void write(
      FileSystem fs, Path path, SFile sfile, Configuration conf, ColumnFamilyDescriptor family)
      throws IOException {
    byte[] bytes = sfile.encode();
    try (IFileWriter writer = new IFileWriter(fs, path, conf, family)) {
      writer.append(ROW, 0, ROW.length, NONE, 0, 0, bytes, 0, bytes.length);
      writer.finish();
    }
  }

  /**
   * Reads.
   *
   * @throws CorruptIndexFileException if the file is damaged, whatever HBase's reader makes of it
   */
  static SFile read(FileSystem fs, Path path, Configuration conf) throws IOException {
    VerifiedFileSystem verified = new VerifiedFileSystem(fs);
    try (HFile.Reader reader =
            HFile.createReader(verified, path, CacheConfig.DISABLED, true, conf);
        HFileScanner scanner = reader.getScanner(conf, false, true, false)) {
      if (!scanner.seekTo() || !CellUtil.matchingRows(scanner.getCell(), ROW)) {
        throw new CorruptIndexFileException(path + " is no SFile");
      }
      return SFile.decode(CellUtil.cloneValue(scanner.getCell()));
    } catch (CorruptFrameException | RuntimeException e) {
      throw new CorruptIndexFileException(path + ": " + e);
    }
  }
}
