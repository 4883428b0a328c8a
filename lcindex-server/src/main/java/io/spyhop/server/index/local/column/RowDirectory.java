package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.view.PackedLongs;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The positions of a block's rows in their HFile ({@code docs/formats/columns.md}). Immutable,
 * thread-safe.
 */
public final class RowDirectory {
  static final int VERSION = 1;

  private final byte[] firstRow;
  private final Run blocks;
  private final PackedLongs positions;

  private RowDirectory(byte[] firstRow, Run blocks, PackedLongs positions) {
    this.firstRow = firstRow;
    this.blocks = blocks;
    this.positions = positions;
  }

  /** The HFile's blocks that hold the rows, numbered from 0 on. */
  public Run blocks() {
    return blocks;
  }

  /** How many rows there are. */
  public int rows() {
    return positions.count();
  }

  /** Where a row begins, as a {@link FileRun} of the {@link #blocks} has it, if there at all. */
  public long position(int row) {
    return positions.get(row);
  }

  /** The key of the first row. */
  public byte[] firstRow() {
    return firstRow;
  }

  /**
   * The key of the first row alone.
   *
   * @throws CorruptFrameException if the bytes are no directory
   */
  public static byte[] firstRow(byte[] bytes, int offset, int length) throws CorruptFrameException {
    try {
      return firstRow(new DataInputStream(new ByteArrayInputStream(bytes, offset, length)));
    } catch (IOException e) {
      throw corrupt(e);
    }
  }

  private static byte[] firstRow(DataInputStream in) throws IOException {
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new CorruptFrameException("a row directory of version " + version);
    }
    return Frame.readBytes(in);
  }

  /**
   * Reads a directory.
   *
   * @param bytes must not change as long as the directory is in use
   * @throws CorruptFrameException if the bytes are none
   */
  public static RowDirectory decode(byte[] bytes, int offset, int length)
      throws CorruptFrameException {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, offset, length));
      byte[] first = firstRow(in);
      Run blocks = Run.read(in);
      ByteBuffer rest = ByteBuffer.wrap(bytes, offset + length - in.available(), in.available());
      PackedLongs positions = PackedLongs.readUnordered(rest);
      int rows = positions.count();
      if (rows == 0 || rows > ColumnBlock.MAX_ROWS || rest.hasRemaining()) {
        throw new CorruptFrameException(rows + " rows, then " + rest.remaining() + " bytes");
      }
      return new RowDirectory(first, blocks, positions);
    } catch (IOException e) {
      throw corrupt(e);
    }
  }

  private static CorruptFrameException corrupt(IOException e) {
    return e instanceof CorruptFrameException c
        ? c
        : new CorruptFrameException("a row directory that ends early", e);
  }

  /** Gathers the rows of one directory after the other. Not thread-safe. */
  public static final class Builder {
    private PackedLongs.Packer positions = new PackedLongs.Packer();
    private byte[] firstRow;
    private long firstBlock;

    /** Adds the next row, by its position in the HFile. */
    public void add(byte[] row, long position) {
      if (firstRow == null) {
        firstRow = row;
        firstBlock = position >>> FileRun.PLACE_BITS;
      }
      positions.add(position - (firstBlock << FileRun.PLACE_BITS));
    }

    /**
     * Ends a directory, which has a row at least, and begins the next one.
     *
     * @param last the HFile's block with the end of the last row
     */
    public Unplaced finish(int last) {
      Unplaced ended = new Unplaced(firstRow, (int) firstBlock, last, positions.packed());
      positions = new PackedLongs.Packer();
      firstRow = null;
      return ended;
    }
  }

  /**
   * A directory of which it need not be known yet where in the HFile its blocks are. Immutable.
   *
   * @param first the first of them
   * @param last the last
   */
  public record Unplaced(byte[] firstRow, int first, int last, PackedLongs positions) {
    /**
     * The directory.
     *
     * @param blocks the HFile with these blocks alone
     */
    public byte[] encode(Run blocks) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION);
      Frame.writeBytes(out, firstRow);
      blocks.writeTo(out);
      positions.writeTo(out);
      return bytes.toByteArray();
    }

    /** Bytes of memory, to a few. */
    public long heapSize() {
      return firstRow.length + positions.size();
    }
  }
}
