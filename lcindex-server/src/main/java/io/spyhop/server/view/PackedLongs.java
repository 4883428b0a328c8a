package io.spyhop.server.view;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Numbers that never descend, in few bytes: of each 64 the first is kept whole, and all as
 * differences from it in as many bytes as the largest of them needs. Immutable; any of them is read
 * at once. Format: {@code docs/formats/view.md}.
 */
public final class PackedLongs {
  private static final int GROUP_BITS = 6;
  private static final int GROUP = 1 << GROUP_BITS;

  /** A group's first number and the width of its differences. */
  private static final int HEAD = Long.BYTES + Byte.BYTES;

  /** Read with the last number, so that eight bytes can be taken at a time. */
  private static final int PADDING = Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int count;
  private final long[] bases;
  private final byte[] widths;
  private final int[] starts;
  private final byte[] differences;

  private PackedLongs(int count, long[] bases, byte[] widths, int[] starts, byte[] differences) {
    this.count = count;
    this.bases = bases;
    this.widths = widths;
    this.starts = starts;
    this.differences = differences;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** Bytes of memory, to a few. */
  long size() {
    return bases.length * (long) (Long.BYTES + Byte.BYTES + Integer.BYTES) + differences.length;
  }

  /** One of them, from 0 on. */
  public long get(int i) {
    int group = i >>> GROUP_BITS;
    int width = widths[group];
    if (width == 0) {
      return bases[group];
    }
    long eight = (long) LONGS.get(differences, starts[group] + (i & GROUP - 1) * width);
    return bases[group] + (width == Long.BYTES ? eight : eight & (1L << 8 * width) - 1);
  }

  /** The last of the numbers that is not above a limit; the first if all are. */
  int floor(long limit) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (get(middle) <= limit) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Writes what {@link #read} reads. */
  public void writeTo(DataOutputStream out) throws IOException {
    out.writeInt(count);
    for (int g = 0; g < bases.length; g++) {
      out.writeLong(bases[g]);
      out.writeByte(widths[g]);
    }
    out.write(differences, 0, differences.length - PADDING);
  }

  /**
   * Reads what {@link #writeTo} wrote.
   *
   * @throws CorruptFrameException if the numbers are not as {@link Packer} leaves them
   */
  public static PackedLongs read(DataInputStream in) throws IOException {
    PackedLongs read = readUnordered(in);
    read.check();
    return read;
  }

  /** The same for who does not depend on their order, which takes long to check. */
  public static PackedLongs readUnordered(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new CorruptFrameException("count of " + count);
    }
    int groups = (int) ((count + (long) GROUP - 1) >>> GROUP_BITS);
    if (groups > in.available() / HEAD) {
      throw new CorruptFrameException("count of " + count + ", " + in.available() + " bytes left");
    }
    long[] bases = new long[groups];
    byte[] widths = new byte[groups];
    int[] starts = new int[groups];
    long length = 0;
    ByteBuffer heads = ByteBuffer.wrap(in.readNBytes(groups * HEAD));
    for (int g = 0; g < groups; g++) {
      bases[g] = heads.getLong();
      widths[g] = heads.get();
      if (bases[g] < 0 || widths[g] < 0 || widths[g] > Long.BYTES) {
        throw new CorruptFrameException("group " + g + " of width " + widths[g]);
      }
      starts[g] = (int) length;
      length += (long) Math.min(GROUP, count - (g << GROUP_BITS)) * widths[g];
      if (length > in.available()) {
        throw new CorruptFrameException(length + " bytes of which " + in.available() + " are left");
      }
    }
    byte[] differences = new byte[(int) length + PADDING];
    in.readFully(differences, 0, (int) length);
    return new PackedLongs(count, bases, widths, starts, differences);
  }

  private void check() throws CorruptFrameException {
    long before = 0;
    for (int i = 0; i < count; i++) {
      long number = get(i);
      if (number < before) {
        throw new CorruptFrameException("number " + i + " is " + number + " after " + before);
      }
      before = number;
    }
  }

  /** Takes the numbers one by one. Not thread-safe. */
  public static final class Packer {
    private final ByteArrayOutputStream differences = new ByteArrayOutputStream();
    private final long[] group = new long[GROUP];
    private long[] bases = new long[16];
    private byte[] widths = new byte[16];
    private int[] starts = new int[16];
    private int count;

    /** Takes a number that is not below the one before, or below 0. */
    public void add(long number) {
      group[count++ & GROUP - 1] = number;
      if ((count & GROUP - 1) == 0) {
        pack(GROUP);
      }
    }

    /** Bytes that the numbers take so far. */
    long size() {
      return differences.size() + (long) (count >>> GROUP_BITS) * (Long.BYTES + 1);
    }

    /** All that were taken. */
    public PackedLongs packed() {
      if ((count & GROUP - 1) != 0) {
        pack(count & GROUP - 1);
      }
      int groups = count + GROUP - 1 >>> GROUP_BITS;
      byte[] padded = Arrays.copyOf(differences.toByteArray(), differences.size() + PADDING);
      return new PackedLongs(
          count,
          Arrays.copyOf(bases, groups),
          Arrays.copyOf(widths, groups),
          Arrays.copyOf(starts, groups),
          padded);
    }

    private void pack(int numbers) {
      int g = count - 1 >>> GROUP_BITS;
      if (g == bases.length) {
        bases = Arrays.copyOf(bases, 2 * g);
        widths = Arrays.copyOf(widths, 2 * g);
        starts = Arrays.copyOf(starts, 2 * g);
      }
      long range = group[numbers - 1] - group[0];
      int width = (Long.SIZE - Long.numberOfLeadingZeros(range) + 7) / 8;
      bases[g] = group[0];
      widths[g] = (byte) width;
      starts[g] = differences.size();
      for (int i = 0; i < numbers; i++) {
        long difference = group[i] - group[0];
        for (int b = 0; b < width; b++) {
          differences.write((int) (difference >>> 8 * b));
        }
      }
    }
  }
}
