package io.spyhop.server.view;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The anchor keys of a view, in ascending order. An anchor is the shortest row between two keys if
 * they are of different rows, the shortest qualifier between them if they are of different columns,
 * and otherwise the second key, each without a sequence id. What the rows of a group have in common
 * at their beginning is kept once. Immutable. Format: {@code docs/formats/view.md}.
 */
final class Anchors {
  /** The anchor comes before everything in its row. */
  private static final int ROW = 0;

  /** The anchor comes before everything in its column. */
  private static final int COLUMN = 1;

  /** The anchor is a whole key. */
  private static final int KEY = 2;

  private static final int KEY_TAIL = Long.BYTES + 1;
  private static final int GROUP_BITS = 6;
  private static final int GROUP = 1 << GROUP_BITS;

  private final byte[] family;
  private final PackedLongs offsets;
  private final byte[] bytes;
  private final PackedLongs prefixOffsets;
  private final byte[] prefixes;

  private Anchors(
      byte[] family,
      PackedLongs offsets,
      byte[] bytes,
      PackedLongs prefixOffsets,
      byte[] prefixes) {
    this.family = family;
    this.offsets = offsets;
    this.bytes = bytes;
    this.prefixOffsets = prefixOffsets;
    this.prefixes = prefixes;
  }

  int count() {
    return offsets.count();
  }

  /** Bytes of memory, to a few. */
  long size() {
    return offsets.size() + bytes.length + prefixOffsets.size() + prefixes.length;
  }

  private int start(int i) {
    return (int) offsets.get(i);
  }

  private int end(int i) {
    return i + 1 < offsets.count() ? start(i + 1) : bytes.length;
  }

  private int prefixStart(int i) {
    return (int) prefixOffsets.get(i >>> GROUP_BITS);
  }

  private int prefixLength(int i) {
    int group = i >>> GROUP_BITS;
    int end =
        group + 1 < prefixOffsets.count() ? (int) prefixOffsets.get(group + 1) : prefixes.length;
    return end - (int) prefixOffsets.get(group);
  }

  /** The sign says where a key stands against an anchor; its sequence id is ignored. */
  int compare(CellComparator comparator, Cell key, int i) {
    int c = compareRow(key, i);
    return c != 0 ? c : PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, cell(i));
  }

  private int compareRow(Cell key, int i) {
    int common = prefixLength(i);
    int length = key.getRowLength();
    int c = compareRow(key, 0, Math.min(length, common), prefixes, prefixStart(i), common);
    if (c != 0) {
      return c;
    }
    int at = start(i);
    return compareRow(key, common, length - common, bytes, restStart(at), restLength(at, end(i)));
  }

  /** Compares a part of a key's row with bytes. */
  private static int compareRow(
      Cell key, int from, int length, byte[] with, int offset, int withLength) {
    if (key instanceof ByteBufferExtendedCell b) {
      return ByteBufferUtils.compareTo(
          b.getRowByteBuffer(), b.getRowPosition() + from, length, with, offset, withLength);
    }
    return Bytes.compareTo(
        key.getRowArray(), key.getRowOffset() + from, length, with, offset, withLength);
  }

  /**
   * The last anchor that is not greater than a key.
   *
   * @param from the first anchor that may be, and the result if none is
   */
  int floor(CellComparator comparator, Cell key, int from) {
    int low = from;
    int high = count() - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (compare(comparator, key, middle) >= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Where the row of an anchor goes on behind what its group has in common. */
  private int restStart(int at) {
    return bytes[at] == ROW ? at + 1 : at + 1 + Short.BYTES;
  }

  private int restLength(int at, int end) {
    return bytes[at] == ROW
        ? end - at - 1
        : (bytes[at + 1] & 0xff) << Byte.SIZE | bytes[at + 2] & 0xff;
  }

  private byte[] row(int i) {
    int at = start(i);
    int common = prefixLength(i);
    int rest = restLength(at, end(i));
    byte[] row = Arrays.copyOfRange(prefixes, prefixStart(i), prefixStart(i) + common + rest);
    System.arraycopy(bytes, restStart(at), row, common, rest);
    return row;
  }

  /** What follows the row. */
  private byte[] tail(int i) {
    int at = start(i);
    int end = end(i);
    return Arrays.copyOfRange(bytes, restStart(at) + restLength(at, end), end);
  }

  /** An anchor as a key. */
  Cell cell(int i) {
    byte[] row = row(i);
    byte[] tail = tail(i);
    switch (bytes[start(i)]) {
      case ROW:
        return PrivateCellUtil.createFirstOnRow(row);
      case COLUMN:
        return PrivateCellUtil.createFirstOnRow(
            row, 0, (short) row.length, family, 0, (byte) family.length, tail, 0, tail.length);
      default:
        return new KeyValue(
            row,
            0,
            row.length,
            family,
            0,
            family.length,
            tail,
            KEY_TAIL,
            tail.length - KEY_TAIL,
            Bytes.toLong(tail),
            KeyValue.Type.codeToType(tail[Long.BYTES]),
            HConstants.EMPTY_BYTE_ARRAY,
            0,
            0);
    }
  }

  void writeTo(DataOutputStream out) throws IOException {
    offsets.writeTo(out);
    Frame.writeBytes(out, bytes);
    prefixOffsets.writeTo(out);
    Frame.writeBytes(out, prefixes);
  }

  /** Reads what {@link #writeTo} wrote. */
  static Anchors read(DataInputStream in, byte[] family) throws IOException {
    Anchors read =
        new Anchors(
            family,
            PackedLongs.read(in),
            Frame.readBytes(in),
            PackedLongs.read(in),
            Frame.readBytes(in));
    read.checkPrefixes();
    for (int i = 0; i < read.count(); i++) {
      read.check(i);
    }
    return read;
  }

  private void checkPrefixes() throws CorruptFrameException {
    int groups = count() + GROUP - 1 >>> GROUP_BITS;
    boolean sound = prefixOffsets.count() == groups;
    sound = sound && (groups == 0 ? prefixes.length == 0 : prefixOffsets.get(0) == 0);
    if (!sound || groups > 0 && prefixOffsets.get(groups - 1) > prefixes.length) {
      throw new CorruptFrameException("the beginnings of anchors are not within their bytes");
    }
  }

  private void check(int i) throws CorruptFrameException {
    long at = offsets.get(i);
    long end = i + 1 < count() ? offsets.get(i + 1) : bytes.length;
    boolean sound = at < end && end <= bytes.length && (i > 0 || at == 0);
    if (sound && bytes[(int) at] != ROW) {
      sound = bytes[(int) at] == COLUMN || bytes[(int) at] == KEY;
      sound &= end - at > Short.BYTES;
      long least = bytes[(int) at] == KEY ? KEY_TAIL : 0;
      sound = sound && at + 1 + Short.BYTES + restLength((int) at, (int) end) + least <= end;
    }
    sound =
        sound
            && (long) prefixLength(i) + restLength((int) at, (int) end)
                <= HConstants.MAX_ROW_LENGTH;
    if (!sound) {
      throw new CorruptFrameException("anchor " + i + " is not within its bytes");
    }
    if (bytes[(int) at] == KEY) {
      cell(i); // of a known type, or it cannot be made
    }
  }

  /** Takes anchors one by one. Not thread-safe. */
  static final class Collector {
    private record Anchor(int kind, byte[] row, byte[] tail) {}

    private final byte[] family;
    private final PackedLongs.Packer offsets = new PackedLongs.Packer();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PackedLongs.Packer prefixOffsets = new PackedLongs.Packer();
    private final ByteArrayOutputStream prefixes = new ByteArrayOutputStream();
    private final List<Anchor> group = new ArrayList<>(GROUP);

    Collector(byte[] family) {
      this.family = family;
    }

    /** Bytes so far, but for the last few anchors. */
    long size() {
      return bytes.size() + offsets.size() + prefixes.size() + prefixOffsets.size();
    }

    Anchors anchors() {
      write();
      return new Anchors(
          family,
          offsets.packed(),
          bytes.toByteArray(),
          prefixOffsets.packed(),
          prefixes.toByteArray());
    }

    /** Takes the very anchor of another view. */
    void add(Anchors from, int i) {
      add(from.bytes[from.start(i)], from.row(i), from.tail(i));
    }

    /**
     * Takes the anchor between two keys that differ in more than their sequence ids.
     *
     * @param before null if the second is the first of all
     */
    void add(CellComparator comparator, Cell before, Cell key) {
      byte[] row = CellUtil.cloneRow(key);
      if (before == null) {
        add(ROW, row, HConstants.EMPTY_BYTE_ARRAY);
      } else if (comparator.compareRows(before, key) != 0) {
        add(ROW, between(CellUtil.cloneRow(before), row), HConstants.EMPTY_BYTE_ARRAY);
      } else if (!CellUtil.matchingQualifier(before, key)) {
        byte[] qualifier = CellUtil.cloneQualifier(key);
        add(COLUMN, row, between(CellUtil.cloneQualifier(before), qualifier));
      } else {
        byte[] type = {key.getTypeByte()};
        byte[] qualifier = CellUtil.cloneQualifier(key);
        add(KEY, row, Bytes.add(Bytes.toBytes(key.getTimestamp()), type, qualifier));
      }
    }

    private void add(int kind, byte[] row, byte[] tail) {
      group.add(new Anchor(kind, row, tail));
      if (group.size() == GROUP) {
        write();
      }
    }

    private void write() {
      if (group.isEmpty()) {
        return;
      }
      byte[] first = group.get(0).row;
      int common = first.length;
      for (Anchor a : group) {
        int same = Arrays.mismatch(first, a.row);
        common = same < 0 ? common : Math.min(common, same);
      }
      prefixOffsets.add(prefixes.size());
      prefixes.write(first, 0, common);
      for (Anchor a : group) {
        offsets.add(bytes.size());
        bytes.write(a.kind);
        int rest = a.row.length - common;
        if (a.kind != ROW) {
          bytes.write(rest >>> Byte.SIZE);
          bytes.write(rest);
        }
        bytes.write(a.row, common, rest);
        bytes.writeBytes(a.tail);
      }
      group.clear();
    }

    /** The shortest bytes above the lower and not above the higher. */
    private static byte[] between(byte[] lower, byte[] higher) {
      int same = Arrays.mismatch(lower, higher);
      return Arrays.copyOf(higher, same + 1);
    }
  }
}
