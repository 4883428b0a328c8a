package io.spyhop.server.local;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;

/**
 * The end of an IFile: what HBase reads when it opens the file. The trailer at the very end has no
 * checksum of its own; one wrong bit in it, for example in the place of the last block, would leave
 * out records without a word.
 *
 * @param length from the root of the block index to the end of the file
 * @param checksum CRC32C of these bytes
 */
record IFileTail(int length, int checksum) {
  /** Of a file that was just written. */
  static IFileTail of(FileSystem fs, Path file, long fileLength) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      long start = FixedFileTrailer.readFromStream(in, fileLength).getLoadOnOpenDataOffset();
      int length = Math.toIntExact(fileLength - start);
      return new IFileTail(length, checksum(in, start, length));
    }
  }

  /** Fails if the file does not end as it was written. */
  void verify(FileSystem fs, Path file, long fileLength) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      if (length > fileLength || checksum(in, fileLength - length, length) != checksum) {
        throw new CorruptIndexFileException("checksum of the end of " + file + " does not match");
      }
    }
  }

  private static int checksum(FSDataInputStream in, long start, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(start, bytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(length);
    out.writeInt(checksum);
  }

  static IFileTail read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IllegalArgumentException("an end of " + length + " bytes");
    }
    return new IFileTail(length, in.readInt());
  }
}
