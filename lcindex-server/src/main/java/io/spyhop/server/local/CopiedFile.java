package io.spyhop.server.local;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/** An IFile that is being copied from another server. Not thread-safe. */
public final class CopiedFile implements Closeable {
  private final IndexDirectory directory;
  private final Path path;
  private final FSDataOutputStream out;
  private boolean committed;

  CopiedFile(IndexDirectory directory, Path path) throws IOException {
    this.directory = directory;
    this.path = path;
    this.out = directory.fileSystem().create(path, false);
  }

  /** Appends bytes. */
  public void append(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** How many bytes there are. */
  public long length() {
    return out.getPos();
  }

  /**
   * Commits the copy under the name of an HFile of this region.
   *
   * @param original the SFile of the file that was copied
   * @param hfile the HFile's name here
   * @throws CorruptIndexFileException if the copy has another length than the original
   */
  public IndexFile commit(SFile original, String hfile, ColumnFamilyDescriptor family)
      throws IOException {
    if (length() != original.ifileLength()) {
      throw new CorruptIndexFileException(
          "copy of "
              + original.ifile()
              + " has "
              + length()
              + " bytes, expected "
              + original.ifileLength());
    }
    out.hsync();
    out.close();
    IndexFile file =
        directory.commit(
            path,
            (name, length, tail) ->
                new SFile(
                    hfile,
                    original.definition(),
                    name,
                    length,
                    original.tail(),
                    original.cells(),
                    original.statistics()),
            family);
    committed = true;
    return file;
  }

  /** Deletes the copy if it was not committed. */
  @Override
  public void close() throws IOException {
    if (!committed) {
      out.close();
      directory.deleteTemporary(path);
    }
  }
}
