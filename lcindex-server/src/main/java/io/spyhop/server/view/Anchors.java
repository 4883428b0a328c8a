package io.spyhop.server.view;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The anchor keys of a view, in ascending order. An anchor is the shortest row between two keys if
 * they are of different rows, the shortest qualifier between them if they are of different columns,
 * and otherwise the second key, each without a sequence id. Immutable. Format: {@code
 * docs/formats/view.md}.
 */
final class Anchors {
  /** The anchor comes before everything in its row. */
  private static final int ROW = 0;

  /** The anchor comes before everything in its column. */
  private static final int COLUMN = 1;

  /** The anchor is a whole key. */
  private static final int KEY = 2;

  private static final int KEY_TAIL = Long.BYTES + 1;

  private final byte[] family;
  private final PackedLongs offsets;
  private final byte[] bytes;

  private Anchors(byte[] family, PackedLongs offsets, byte[] bytes) {
    this.family = family;
    this.offsets = offsets;
    this.bytes = bytes;
  }

  int count() {
    return offsets.count();
  }

  /** Bytes of memory, to a few. */
  long size() {
    return offsets.size() + bytes.length;
  }

  private int start(int i) {
    return (int) offsets.get(i);
  }

  private int end(int i) {
    return i + 1 < offsets.count() ? start(i + 1) : bytes.length;
  }

  /** The sign says where a key stands against an anchor; its sequence id is ignored. */
  int compare(CellComparator comparator, Cell key, int i) {
    int at = start(i);
    int length = rowLength(at, end(i));
    int c = comparator.compareRows(key, bytes, rowStart(at), length);
    return c != 0 ? c : PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, cell(i));
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

  private int rowStart(int at) {
    return bytes[at] == ROW ? at + 1 : at + 1 + Short.BYTES;
  }

  private int rowLength(int at, int end) {
    return bytes[at] == ROW
        ? end - at - 1
        : (bytes[at + 1] & 0xff) << Byte.SIZE | bytes[at + 2] & 0xff;
  }

  /** An anchor as a key. */
  Cell cell(int i) {
    int at = start(i);
    int end = end(i);
    int row = rowStart(at);
    int rowLength = rowLength(at, end);
    int rest = row + rowLength;
    switch (bytes[at]) {
      case ROW:
        return PrivateCellUtil.createFirstOnRow(bytes, row, (short) rowLength);
      case COLUMN:
        return PrivateCellUtil.createFirstOnRow(
            bytes,
            row,
            (short) rowLength,
            family,
            0,
            (byte) family.length,
            bytes,
            rest,
            end - rest);
      default:
        return new KeyValue(
            bytes,
            row,
            rowLength,
            family,
            0,
            family.length,
            bytes,
            rest + KEY_TAIL,
            end - rest - KEY_TAIL,
            timestamp(rest),
            KeyValue.Type.codeToType(bytes[rest + Long.BYTES]),
            HConstants.EMPTY_BYTE_ARRAY,
            0,
            0);
    }
  }

  private long timestamp(int at) {
    long timestamp = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      timestamp = timestamp << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return timestamp;
  }

  void writeTo(DataOutputStream out) throws IOException {
    offsets.writeTo(out);
    Frame.writeBytes(out, bytes);
  }

  /** Reads what {@link #writeTo} wrote. */
  static Anchors read(DataInputStream in, byte[] family) throws IOException {
    PackedLongs offsets = PackedLongs.read(in);
    Anchors read = new Anchors(family, offsets, Frame.readBytes(in));
    for (int i = 0; i < read.count(); i++) {
      read.check(i);
    }
    return read;
  }

  private void check(int i) throws CorruptFrameException {
    long at = offsets.get(i);
    long end = i + 1 < count() ? offsets.get(i + 1) : bytes.length;
    boolean sound = at < end && end <= bytes.length && (i > 0 || at == 0);
    if (sound && bytes[(int) at] != ROW) {
      sound = bytes[(int) at] == COLUMN || bytes[(int) at] == KEY;
      sound &= end - at > Short.BYTES;
      long least = bytes[(int) at] == KEY ? KEY_TAIL : 0;
      sound = sound && at + 1 + Short.BYTES + rowLength((int) at, (int) end) + least <= end;
    }
    if (!sound || rowLength((int) at, (int) end) > Short.MAX_VALUE) {
      throw new CorruptFrameException("anchor " + i + " is none");
    }
    if (bytes[(int) at] == KEY) {
      typeOf(bytes[rowStart((int) at) + rowLength((int) at, (int) end) + Long.BYTES]);
    }
  }

  private static void typeOf(byte code) throws CorruptFrameException {
    for (KeyValue.Type type : KeyValue.Type.values()) {
      if (type.getCode() == code) {
        return;
      }
    }
    throw new CorruptFrameException("no cell has type " + code);
  }

  /** Takes anchors one by one. Not thread-safe. */
  static final class Collector {
    private final byte[] family;
    private final PackedLongs.Packer offsets = new PackedLongs.Packer();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Collector(byte[] family) {
      this.family = family;
    }

    /** Bytes so far. */
    long size() {
      return bytes.size() + offsets.size();
    }

    Anchors anchors() {
      return new Anchors(family, offsets.packed(), bytes.toByteArray());
    }

    /** Takes the very anchor of another view. */
    void add(Anchors from, int i) {
      offsets.add(bytes.size());
      bytes.write(from.bytes, from.start(i), from.end(i) - from.start(i));
    }

    /**
     * Takes the anchor between two keys that differ in more than their sequence ids.
     *
     * @param before null if the second is the first of all
     */
    void add(CellComparator comparator, Cell before, Cell key) {
      offsets.add(bytes.size());
      if (before == null) {
        bytes.write(ROW);
      } else if (comparator.compareRows(before, key) != 0) {
        bytes.write(ROW);
        bytes.writeBytes(between(CellUtil.cloneRow(before), CellUtil.cloneRow(key)));
      } else if (!CellUtil.matchingQualifier(before, key)) {
        row(COLUMN, key);
        bytes.writeBytes(between(CellUtil.cloneQualifier(before), CellUtil.cloneQualifier(key)));
      } else {
        row(KEY, key);
        bytes.writeBytes(Bytes.toBytes(key.getTimestamp()));
        bytes.write(key.getTypeByte());
        bytes.writeBytes(CellUtil.cloneQualifier(key));
      }
    }

    private void row(int kind, Cell key) {
      bytes.write(kind);
      bytes.writeBytes(Bytes.toBytes(key.getRowLength()));
      bytes.writeBytes(CellUtil.cloneRow(key));
    }

    /** The shortest bytes above the lower and not above the higher. */
    private static byte[] between(byte[] lower, byte[] higher) {
      int same = Arrays.mismatch(lower, higher);
      return Arrays.copyOf(higher, same + 1);
    }
  }
}
