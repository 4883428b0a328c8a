package io.spyhop.server.index.local;

import io.spyhop.core.schema.Layout;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.IndividualBytesFieldCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Writes an IFile: an HFile whose cells are the index records in (key, row) order, with the key in
 * the place of the row, the row in that of the qualifier and the packed row as the value ({@code
 * docs/formats/ifile.md}). Compression and encryption are the family's; blocks are never encoded,
 * so that a query walks them without making cells. Not thread-safe.
 */
final class IFileWriter implements Closeable {
  static final byte[] FAMILY = {'i'};
  static final byte[] FORMAT = Bytes.toBytes("SPYHOP_FORMAT");
  static final byte[] DICTIONARY = Bytes.toBytes("SPYHOP_DICTIONARY");
  static final byte[] TIMES = Bytes.toBytes("SPYHOP_TIMES");
  static final byte[] HFILE = Bytes.toBytes("SPYHOP_HFILE");
  static final String SUFFIX = ".ifile";

  private final Path path;
  private final ChecksummedOutput out;
  private final HFile.Writer writer;
  private boolean closed;

  IFileWriter(FileSystem fs, Path path, Configuration conf, ColumnFamilyDescriptor family)
      throws IOException {
    this.path = path;
    out = new ChecksummedOutput(fs.create(path, false));
    boolean ready = false;
    try {
      writer =
          HFile.getWriterFactory(conf, CacheConfig.DISABLED)
              .withOutputStream(new FSDataOutputStream(out, null))
              .withFileContext(context(conf, family))
              .create();
      ready = true;
    } finally {
      if (!ready) {
        out.close();
      }
    }
  }

  private static HFileContext context(Configuration conf, ColumnFamilyDescriptor family)
      throws IOException {
    return new HFileContextBuilder()
        .withBlockSize(family.getBlocksize())
        .withCompression(family.getCompressionType())
        .withEncryptionContext(EncryptionUtil.createEncryptionContext(conf, family))
        .withCellComparator(CellComparatorImpl.COMPARATOR)
        .withIncludesMvcc(false)
        .withIncludesTags(false)
        .withHBaseCheckSum(true)
        .withColumnFamily(FAMILY)
        .withCreateTime(EnvironmentEdgeManager.currentTime())
        .build();
  }

  /** Appends the next record; the arrays must stay as they are until the next call. */
  void append(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] row,
      int rowOffset,
      int rowLength,
      byte[] value,
      int valueOffset,
      int valueLength)
      throws IOException {
    writer.append(
        new IndividualBytesFieldCell(
            key,
            keyOffset,
            keyLength,
            FAMILY,
            0,
            FAMILY.length,
            row,
            rowOffset,
            rowLength,
            0L,
            KeyValue.Type.Put,
            0L,
            value,
            valueOffset,
            valueLength,
            null,
            0,
            0));
  }

  /** Appends a record as another IFile holds it. */
  void append(SpyhopCells record) throws IOException {
    append(record, record.array(), record.valueOffset(), record.valueLength());
  }

  /** Appends a record of another IFile with another value. */
  void append(SpyhopCells record, byte[] value, int valueOffset, int valueLength)
      throws IOException {
    append(
        record.array(),
        record.rowOffset(),
        record.rowLength(),
        record.array(),
        record.qualifierOffset(),
        record.qualifierLength(),
        value,
        valueOffset,
        valueLength);
  }

  /** The version of the format that files of a layout have. */
  static int version(Layout layout) {
    return switch (layout) {
      case CLUSTERING -> 1;
      case COLUMNAR -> 2;
    };
  }

  /** Has the file say when the cells of simple rows are from. */
  void times(CellTimes times) throws IOException {
    writer.appendFileInfo(TIMES, times.encode());
  }

  /** Ends the file and puts it on the disk. */
  CheckedFile finish(String hfile, Layout layout, ColumnDictionary dictionary) throws IOException {
    writer.appendFileInfo(FORMAT, Bytes.toBytes(version(layout)));
    writer.appendFileInfo(HFILE, Bytes.toBytes(hfile));
    writer.appendFileInfo(DICTIONARY, dictionary.encode());
    writer.close();
    FileChecksums checksums = out.finish();
    close();
    return new CheckedFile(path, checksums);
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      out.close();
    }
  }
}
