package io.spyhop.server.local;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** An open IFile; scanners of it may run side by side. Blocks go through HBase's block cache. */
final class IFileReader implements Closeable {
  private final Configuration conf;
  private final Path path;
  private final HFile.Reader reader;
  private final ColumnDictionary dictionary;

  IFileReader(FileSystem fs, Path path, CacheConfig cache, Configuration conf) throws IOException {
    this.conf = conf;
    this.path = path;
    this.reader = open(fs, path, cache, conf);
    boolean ready = false;
    try {
      byte[] format = reader.getHFileInfo().get(IFileWriter.FORMAT);
      if (format == null || Bytes.toInt(format) != IFileWriter.VERSION) {
        throw new CorruptIndexFileException(
            path + " is no IFile of version " + IFileWriter.VERSION);
      }
      this.dictionary = ColumnDictionary.decode(reader.getHFileInfo().get(IFileWriter.DICTIONARY));
      ready = true;
    } finally {
      if (!ready) {
        reader.close(false);
      }
    }
  }

  private static HFile.Reader open(FileSystem fs, Path path, CacheConfig cache, Configuration conf)
      throws IOException {
    try {
      return HFile.createReader(new VerifiedFileSystem(fs), path, cache, true, conf);
    } catch (RuntimeException | OutOfMemoryError e) {
      throw new CorruptIndexFileException("cannot open " + path + ": " + e, e);
    }
  }

  /**
   * HBase reports some damage as any programming error, such as an unknown type of checksum; and a
   * damaged length has it ask for one array of up to 2 GB, before it looks at checksums.
   */
  CorruptIndexFileException damaged(Throwable e) {
    return new CorruptIndexFileException("cannot read " + path + ": " + e, e);
  }

  ColumnDictionary dictionary() {
    return dictionary;
  }

  HFileScanner scanner(boolean cacheBlocks) {
    return reader.getScanner(conf, cacheBlocks, true, false);
  }

  @Override
  public void close() throws IOException {
    reader.close(true);
  }
}
