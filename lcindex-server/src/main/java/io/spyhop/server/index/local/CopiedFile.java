package io.spyhop.server.index.local;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * An IFile that is being copied from another server. Every piece is compared with the original's
 * checksum as it comes, so that damage is not copied. Not thread-safe.
 */
public final class CopiedFile implements Closeable {
  private final IndexDirectory directory;
  private final Path path;
  private final SFile original;
  private final FSDataOutputStream out;
  private final FileChecksums.Builder checksums;
  private boolean committed;

  CopiedFile(IndexDirectory directory, Path path, SFile original) throws IOException {
    this.directory = directory;
    this.path = path;
    this.original = original;
    this.checksums = new FileChecksums.Builder(original.checksums().piece());
    this.out = directory.fileSystem().create(path, false);
  }

  /**
   * Appends bytes.
   *
   * @throws CorruptIndexFileException if the original has others
   */
  public void append(byte[] bytes) throws IOException {
    int before = checksums.pieces();
    checksums.add(bytes, 0, bytes.length);
    if (!checksums.begins(original.checksums(), before)) {
      throw new CorruptIndexFileException(
          "what came of " + original.ifile() + " before " + checksums.length() + " is damaged");
    }
    out.write(bytes);
  }

  /** How many bytes there are. */
  public long length() {
    return out.getPos();
  }

  /**
   * Commits the copy under the name of an HFile of this region.
   *
   * @param hfile the HFile's name here
   * @throws CorruptIndexFileException if the copy is not the original
   */
  public IndexFile commit(String hfile, ColumnFamilyDescriptor family) throws IOException {
    if (!checksums.finish().equals(original.checksums())) {
      throw new CorruptIndexFileException(
          "copy of " + original.ifile() + " is not the " + original.ifileLength() + " bytes of it");
    }
    out.hsync();
    out.close();
    IndexFile file =
        directory.commit(
            path,
            name ->
                new SFile(
                    hfile,
                    original.definition(),
                    name,
                    original.checksums(),
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
