package io.spyhop.server.view;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One run of a view: which file it is, and where its blocks are. Immutable; the arrays are not
 * copied.
 *
 * @param name the file's name within its store
 * @param length bytes of the file
 * @param entries cells in it
 * @param maxSequence the highest sequence id that the file is known by
 * @param offsets where in the file each block of data begins, ascending
 * @param sizes bytes of each block on disk
 */
public record Run(
    String name, long length, long entries, long maxSequence, long[] offsets, int[] sizes) {
  private static final int LEAST_BLOCK = Long.BYTES + Integer.BYTES;

  /** What a run takes at least. */
  static final int LEAST = Frame.LEAST_UTF + 3 * Long.BYTES + Integer.BYTES;

  /** Whether both are the same file, and nothing has taken its place. */
  public boolean isSameFile(Run other) {
    return name.equals(other.name)
        && length == other.length
        && entries == other.entries
        && maxSequence == other.maxSequence;
  }

  /** The same file with its blocks, once they are known. */
  public Run withBlocks(long[] blockOffsets, int[] blockSizes) {
    return new Run(name, length, entries, maxSequence, blockOffsets, blockSizes);
  }

  /** The same file with some of its blocks, which are numbered from 0 on then. */
  public Run part(int from, int to) {
    return withBlocks(Arrays.copyOfRange(offsets, from, to), Arrays.copyOfRange(sizes, from, to));
  }

  /** Bytes of memory, to a few. */
  long size() {
    return 2L * name.length() + (long) offsets.length * LEAST_BLOCK + 100;
  }

  /** Writes what {@link #read} reads. */
  public void writeTo(DataOutputStream out) throws IOException {
    out.writeUTF(name);
    out.writeLong(length);
    out.writeLong(entries);
    out.writeLong(maxSequence);
    out.writeInt(offsets.length);
    for (int i = 0; i < offsets.length; i++) {
      out.writeLong(offsets[i]);
      out.writeInt(sizes[i]);
    }
  }

  /** Reads what {@link #writeTo} wrote. */
  public static Run read(DataInputStream in) throws IOException {
    String name = Frame.readUtf(in);
    long length = in.readLong();
    long entries = in.readLong();
    long maxSequence = in.readLong();
    int blocks = Frame.readCount(in, LEAST_BLOCK);
    long[] offsets = new long[blocks];
    int[] sizes = new int[blocks];
    long end = 0;
    ByteBuffer read = ByteBuffer.wrap(in.readNBytes(blocks * LEAST_BLOCK));
    for (int i = 0; i < blocks; i++) {
      offsets[i] = read.getLong();
      sizes[i] = read.getInt();
      if (offsets[i] < end || sizes[i] <= 0 || offsets[i] > length - sizes[i]) {
        throw new CorruptFrameException("block " + i + " of run " + name + " is not in the file");
      }
      end = offsets[i] + sizes[i];
    }
    return new Run(name, length, entries, maxSequence, offsets, sizes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Run other
        && isSameFile(other)
        && Arrays.equals(offsets, other.offsets)
        && Arrays.equals(sizes, other.sizes);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + " (" + entries + " cells, " + length + " bytes)";
  }
}
