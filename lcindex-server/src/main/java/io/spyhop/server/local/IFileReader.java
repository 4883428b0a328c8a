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
  private final HFile.Reader reader;
  private final ColumnDictionary dictionary;

  IFileReader(FileSystem fs, Path path, CacheConfig cache, Configuration conf) throws IOException {
    this.conf = conf;
    this.reader = HFile.createReader(new VerifiedFileSystem(fs), path, cache, true, conf);
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
