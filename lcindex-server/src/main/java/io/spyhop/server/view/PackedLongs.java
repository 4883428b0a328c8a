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
  private final Groups groups;
  private final byte[] bytes;

  /** Where the differences begin. */
  private final int from;

  /**
   * The heads of all groups.
   *
   * @param bases the first number
   * @param widths bytes of a difference
   * @param starts where among the differences its own begin
   * @param length bytes of all differences
   */
  private record Groups(long[] bases, byte[] widths, int[] starts, int length) {}

  /**
   * @param bytes has the differences, and bytes of padding behind them
   */
  private PackedLongs(int count, Groups groups, byte[] bytes, int from) {
    this.count = count;
    this.groups = groups;
    this.bytes = bytes;
    this.from = from;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** Bytes of memory, to a few. */
  public long size() {
    return groups.bases.length * (long) (Long.BYTES + Byte.BYTES + Integer.BYTES)
        + groups.length
        + PADDING;
  }

  /** One of them, from 0 on. */
  public long get(int i) {
    int group = i >>> GROUP_BITS;
    int width = groups.widths[group];
    if (width == 0) {
      return groups.bases[group];
    }
    long eight = (long) LONGS.get(bytes, from + groups.starts[group] + (i & GROUP - 1) * width);
    return groups.bases[group] + (width == Long.BYTES ? eight : eight & (1L << 8 * width) - 1);
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
    for (int g = 0; g < groups.bases.length; g++) {
      out.writeLong(groups.bases[g]);
      out.writeByte(groups.widths[g]);
    }
    out.write(bytes, from, groups.length);
  }

  /**
   * Reads what {@link #writeTo} wrote.
   *
   * @throws CorruptFrameException if the numbers are not as {@link Packer} leaves them
   */
  public static PackedLongs read(DataInputStream in) throws IOException {
    int count = count(in.readInt(), in.available());
    ByteBuffer heads = ByteBuffer.wrap(in.readNBytes(groups(count) * HEAD));
    Groups groups = groups(count, heads, in.available());
    byte[] differences = new byte[groups.length + PADDING];
    in.readFully(differences, 0, groups.length);
    PackedLongs read = new PackedLongs(count, groups, differences, 0);
    read.check();
    return read;
  }

  /**
   * The same for who does not depend on their order, which takes long to check. The numbers are
   * read from the buffer's array when they are asked for.
   */
  public static PackedLongs readUnordered(ByteBuffer in) throws CorruptFrameException {
    if (in.remaining() < Integer.BYTES) {
      throw new CorruptFrameException("no count in " + in.remaining() + " bytes");
    }
    int count = count(in.getInt(), in.remaining());
    ByteBuffer heads = in.slice(in.position(), groups(count) * HEAD);
    in.position(in.position() + heads.limit());
    Groups groups = groups(count, heads, in.remaining());
    int from = in.arrayOffset() + in.position();
    in.position(in.position() + groups.length);
    return from + groups.length + PADDING <= in.array().length
        ? new PackedLongs(count, groups, in.array(), from)
        : new PackedLongs(
            count, groups, Arrays.copyOfRange(in.array(), from, from + groups.length + PADDING), 0);
  }

  private static int count(int count, int left) throws CorruptFrameException {
    if (count < 0 || groups(count) > left / HEAD) {
      throw new CorruptFrameException("count of " + count + ", " + left + " bytes left");
    }
    return count;
  }

  private static int groups(int count) {
    return (int) ((count + (long) GROUP - 1) >>> GROUP_BITS);
  }

  private static Groups groups(int count, ByteBuffer heads, int left) throws CorruptFrameException {
    long[] bases = new long[groups(count)];
    byte[] widths = new byte[bases.length];
    int[] starts = new int[bases.length];
    long length = 0;
    for (int g = 0; g < bases.length; g++) {
      bases[g] = heads.getLong();
      widths[g] = heads.get();
      if (bases[g] < 0 || widths[g] < 0 || widths[g] > Long.BYTES) {
        throw new CorruptFrameException("group " + g + " of width " + widths[g]);
      }
      starts[g] = (int) length;
      length += (long) Math.min(GROUP, count - (g << GROUP_BITS)) * widths[g];
      if (length > left) {
        throw new CorruptFrameException(length + " bytes of which " + left + " are left");
      }
    }
    return new Groups(bases, widths, starts, (int) length);
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
          new Groups(
              Arrays.copyOf(bases, groups),
              Arrays.copyOf(widths, groups),
              Arrays.copyOf(starts, groups),
              differences.size()),
          padded,
          0);
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
