package io.spyhop.server.index.local;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.local.column.BlockHashes;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * The rows of one HFile by the columnar file of its rows, both held by the caller. Failures to read
 * say which file failed. Not thread-safe.
 */
public final class HFileRows {
  private final StoreFileReader hfile;
  private final ColumnSource source;
  private final ReadSettings settings;
  private final RowBounds span;
  private final ColumnFile file;
  private BlockHashes hashes;
  private int hashed = -1;

  /**
   * @param source the file of its rows
   */
  public HFileRows(StoreFileReader hfile, ColumnSource source, ReadSettings settings)
      throws IOException {
    this.hfile = hfile;
    this.source = source;
    this.settings = settings;
    this.span = RowBounds.of(hfile.getHFileReader());
    this.file = open();
  }

  /** Reads a columnar file of which it must be known whose it is if that fails. */
  static <T> T read(ColumnSource source, IoSupplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new UnreadableColumnsException(source, e);
    } catch (RuntimeException e) {
      throw new UnreadableColumnsException(source, new CorruptIndexFileException("" + e, e));
    }
  }

  /** The file of the rows. */
  ColumnSource source() {
    return source;
  }

  /** How many rows a block has. */
  int rows(int block) {
    return file.rowsOf(block);
  }

  /** The hashes of a block's rows, until those of another one are asked for. */
  BlockHashes hashes(int block) throws IOException {
    if (hashed != block) {
      hashed = -1;
      hashes = reading(() -> file.hashes(block));
      hashed = block;
    }
    return hashes;
  }

  /**
   * The first block that can have a row from one on.
   *
   * @param start empty for the first row
   */
  int firstBlock(byte[] start) throws IOException {
    return start.length == 0 || span.beginsAt(start) ? 0 : blockOf(start);
  }

  /**
   * The last block that can have a row up to one.
   *
   * @param stop empty for the last row
   */
  int lastBlock(byte[] stop) throws IOException {
    int last = file.blocks() - 1;
    return stop.length == 0 || span.endsBefore(stop) ? last : Math.min(last, blockOf(stop));
  }

  private int blockOf(byte[] row) throws IOException {
    return reading(() -> file.blockOf(row));
  }

  /** The file of the rows, for another reader. */
  ColumnFile open() throws IOException {
    return reading(() -> source.columns(hfile, settings));
  }

  /** The HFile's rows, for a walk from the first to the last. */
  PlacedRows placed() throws IOException {
    return new PlacedRows(open(), hfile, settings);
  }

  /** A failure to read is that of the rows' file. */
  <T> T reading(IoSupplier<T> reading) throws IOException {
    return read(source, reading);
  }
}
