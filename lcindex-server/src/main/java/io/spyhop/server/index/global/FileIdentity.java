package io.spyhop.server.index.global;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hbase.thirdparty.com.google.common.hash.HashCode;
import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hasher;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * An HFile's contents as they were read: a path may lead to another file a moment later
 * (correctness rule 43). HDFS writes a block once, so files of the same blocks are the same; copies
 * are compared by their cells. Means something on this server alone, until it stops. Immutable.
 *
 * @param blocks those that were read; empty where the file system has none
 * @param cells a hash of all cells in their order
 */
record FileIdentity(List<String> blocks, HashCode cells) {
  /** It differs from one start of the server to the next: nobody makes a file that it fits. */
  private static final HashFunction HASH = Hashing.goodFastHash(128);

  /** Reads the cells of a file. */
  @FunctionalInterface
  interface Reading {
    /**
     * @param scanner before the first cell; calls {@link HFileScanner#shipped} now and then
     * @return whether it has seen all cells
     */
    boolean read(HFile.Reader reader, HFileScanner scanner, Hash hash) throws IOException;
  }

  /** Hashes the cells that a reading has seen so far. Not thread-safe. */
  static final class Hash {
    private final Hasher hasher = HASH.newHasher();

    /** The next cell. */
    void add(Cell c) {
      add(c.getRowArray(), c.getRowOffset(), c.getRowLength());
      add(c.getQualifierArray(), c.getQualifierOffset(), c.getQualifierLength());
      hasher.putLong(c.getTimestamp()).putByte(c.getTypeByte());
      add(c.getValueArray(), c.getValueOffset(), c.getValueLength());
      hasher.putInt(c.getTagsLength());
    }

    private void add(byte[] bytes, int offset, int length) {
      hasher.putInt(length).putBytes(bytes, offset, length);
    }
  }

  /**
   * Has a file read.
   *
   * @return empty if the reading has not seen all cells
   */
  static Optional<FileIdentity> read(FileSystem fs, Path file, Configuration conf, Reading reading)
      throws IOException {
    FSDataInputStreamWrapper stream = new FSDataInputStreamWrapper(fs, file);
    ReaderContext context =
        new ReaderContextBuilder()
            .withFilePath(file)
            .withInputStreamWrapper(stream)
            .withFileSize(fs.getFileStatus(file).getLen())
            .withFileSystem(stream.getHfs())
            .withPrimaryReplicaReader(true)
            .withReaderType(ReaderContext.ReaderType.PREAD)
            .build();
    HFileInfo info = new HFileInfo(context, conf);
    try (HFile.Reader reader = HFile.createReader(context, info, CacheConfig.DISABLED, conf)) {
      info.initMetaAndIndex(reader);
      Hash hash = new Hash();
      try (HFileScanner scanner = reader.getScanner(conf, false, false)) {
        return reading.read(reader, scanner, hash)
            ? Optional.of(new FileIdentity(blocks(stream.getStream(false)), hash.hasher.hash()))
            : Optional.empty();
      }
    }
  }

  /** The blocks of a file that is there now. */
  static List<String> blocks(FileSystem fs, Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return blocks(in);
    }
  }

  /** The blocks that a stream has read, or would. */
  private static List<String> blocks(FSDataInputStream in) throws IOException {
    return in instanceof HdfsDataInputStream hdfs
        ? hdfs.getAllBlocks().stream()
            .map(b -> b.getBlock())
            .map(
                b ->
                    b.getBlockPoolId()
                        + ":"
                        + b.getBlockId()
                        + ":"
                        + b.getGenerationStamp()
                        + ":"
                        + b.getNumBytes())
            .toList()
        : List.of();
  }

  /** The cells of a file that is there now, in a hash. */
  static HashCode cells(FileSystem fs, Path file, Configuration conf) throws IOException {
    return read(
            fs,
            file,
            conf,
            (reader, scanner, hash) -> {
              for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
                hash.add(scanner.getCell());
                scanner.shipped();
              }
              return true;
            })
        .orElseThrow()
        .cells();
  }
}
