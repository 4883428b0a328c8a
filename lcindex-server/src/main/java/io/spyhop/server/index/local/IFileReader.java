package io.spyhop.server.index.local;

import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.SpyhopBlocks;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;

/** An open IFile; scanners of it may run side by side. Blocks go through HBase's block cache. */
final class IFileReader {
  /** So many that a block more at one end or less at the other makes no factor of 2. */
  private static final int ENOUGH_BLOCKS = 4;

  /** Of a reader without its index of blocks: trailer, properties, stream. */
  private static final int OPEN_BYTES = 14 << 10;

  private final Path path;
  private final HFile.Reader reader;
  private final ColumnDictionary dictionary;
  private final CellTimes times;

  IFileReader(FileSystem fs, CheckedFile file, Layout layout, CacheConfig cache, Configuration conf)
      throws IOException {
    this.path = file.path();
    this.reader = open(fs, file, cache, conf);
    boolean ready = false;
    try {
      byte[] format = reader.getHFileInfo().get(IFileWriter.FORMAT);
      if (format == null || Bytes.toInt(format) != IFileWriter.version(layout)) {
        throw new CorruptIndexFileException(path + " is no IFile of layout " + layout);
      }
      if (!SpyhopCells.isPlain(reader)) {
        throw new CorruptIndexFileException(path + " has encoded blocks, as no IFile has now");
      }
      this.dictionary = ColumnDictionary.decode(reader.getHFileInfo().get(IFileWriter.DICTIONARY));
      this.times = CellTimes.decode(reader.getHFileInfo().get(IFileWriter.TIMES));
      ready = true;
    } finally {
      if (!ready) {
        reader.close(false);
      }
    }
  }

  private static HFile.Reader open(
      FileSystem fs, CheckedFile file, CacheConfig cache, Configuration conf) throws IOException {
    try {
      FileSystem verified = new VerifiedFileSystem(fs, file);
      return HFile.createReader(verified, file.cached(), cache, true, conf);
    } catch (RuntimeException e) {
      throw new CorruptIndexFileException("cannot open " + file.path() + ": " + e, e);
    }
  }

  /** HBase reports what it does not understand as any programming error. */
  CorruptIndexFileException damaged(Throwable e) {
    return new CorruptIndexFileException("cannot read " + path + ": " + e, e);
  }

  ColumnDictionary dictionary() {
    return dictionary;
  }

  /** When the cells of simple rows are from. */
  CellTimes times() {
    return times;
  }

  /** A walk through the records: keys are the cells' rows, rows their qualifiers. */
  SpyhopCells records(boolean cacheBlocks) {
    return new SpyhopCells(reader, cacheBlocks);
  }

  /**
   * About how many records there are, by the blocks between two keys: right but for a block at
   * either end, if blocks hold about as many records each.
   *
   * @param lower the first key
   * @param upper the last key, null for all that follow
   * @return 0 if there are too few blocks to tell
   */
  double about(ValueKey lower, ValueKey upper) {
    int blocks = SpyhopBlocks.count(reader);
    int from = SpyhopBlocks.at(reader, KeyValueUtil.createFirstOnRow(lower.bytes()));
    int to =
        upper == null
            ? blocks - 1
            : SpyhopBlocks.at(reader, KeyValueUtil.createLastOnRow(upper.bytes()));
    int between = to - Math.max(0, from);
    return between < ENOUGH_BLOCKS ? 0 : (double) reader.getEntries() * between / blocks;
  }

  /**
   * Counts records.
   *
   * @param lower the first key
   * @param upper the last key, null for all that follow
   * @param most stop at as many
   */
  long count(ValueKey lower, ValueKey upper, long most) throws IOException {
    SpyhopCells records = records(true);
    try {
      boolean more = records.seek(lower.bytes());
      long count = 0;
      while (more && count < most && (upper == null || records.compareRow(upper.bytes()) <= 0)) {
        count++;
        more = records.next();
      }
      return count;
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  /** Bytes on the heap, about. */
  long heapSize() {
    return reader.indexSize() + OPEN_BYTES;
  }

  /**
   * Closes the file.
   *
   * @param forGood whether its blocks go from the block cache, too
   */
  void close(boolean forGood) throws IOException {
    reader.close(forGood);
  }
}
