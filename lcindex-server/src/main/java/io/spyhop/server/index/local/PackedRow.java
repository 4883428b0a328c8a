package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * The value of an IFile record: a flags byte, and for a simple row its cells.
 *
 * <p>A row is simple if its HFile holds exactly one put per column of it, without tags, and it fits
 * the limits; only then can a record stand for the row. Layout of a simple row ({@code
 * docs/formats/ifile.md}): flags, the timestamp (8 bytes, the common or the oldest one), then per
 * cell in qualifier order the column number and the value length as HBase vlongs, the cell's own
 * timestamp if they differ, and the value. All methods take what {@link #check} has let pass.
 * Stateless.
 */
public final class PackedRow {
  static final byte COMPLEX = 1;
  static final byte OWN_TIMESTAMPS = 2;
  private static final int CELLS = 1 + Bytes.SIZEOF_LONG;

  private PackedRow() {}

  /** Whether the record cannot stand for the row. */
  public static boolean isComplex(byte[] b, int off) {
    return (b[off] & COMPLEX) != 0;
  }

  /** The timestamp of the oldest cell of a simple row. */
  public static long oldestTimestamp(byte[] b, int off) {
    return Bytes.toLong(b, off + 1);
  }

  /**
   * Judges a simple row.
   *
   * @param columns for each column number the judge's column, or -1
   * @throws CorruptIndexFileException if it is none
   */
  public static boolean judge(byte[] b, int off, int len, int[] columns, RowJudge judge)
      throws CorruptIndexFileException {
    judge.reset();
    boolean own = (b[off] & OWN_TIMESTAMPS) != 0;
    int end = off + len;
    int at = off + CELLS;
    while (at < end) {
      int number = number(b, at, end, columns.length);
      at += vlongSize(b[at]);
      int length = length(b, at, end, own);
      at += vlongSize(b[at]) + (own ? Bytes.SIZEOF_LONG : 0);
      int column = columns[number];
      if (column >= 0 && !judge.offer(column, b, at, length)) {
        return false;
      }
      at += length;
    }
    return judge.matches();
  }

  /**
   * Unpacks the cells of a simple row.
   *
   * @param selected for each column number whether to unpack it; null for all
   * @param out takes the cells in qualifier order
   * @throws CorruptIndexFileException if it is none
   */
  static void unpack(
      byte[] row,
      byte[] family,
      byte[] b,
      ColumnDictionary dictionary,
      boolean[] selected,
      List<Cell> out)
      throws CorruptIndexFileException {
    boolean own = (b[0] & OWN_TIMESTAMPS) != 0;
    long timestamp = Bytes.toLong(b, 1);
    int at = CELLS;
    byte[] before = null;
    while (at < b.length) {
      int number = number(b, at, b.length, dictionary.size());
      at += vlongSize(b[at]);
      int length = length(b, at, b.length, own);
      at += vlongSize(b[at]);
      byte[] qualifier = dictionary.qualifier(number);
      if (before != null && Bytes.compareTo(before, qualifier) >= 0) {
        throw new CorruptIndexFileException("a record has its cells in no order");
      }
      before = qualifier;
      if (own) {
        timestamp = Bytes.toLong(b, at);
        at += Bytes.SIZEOF_LONG;
      }
      if (selected == null || selected[number]) {
        out.add(cell(row, family, qualifier, timestamp, b, at, length));
      }
      at += length;
    }
  }

  /**
   * Copies a record with other column numbers.
   *
   * @param numbers for each column number its new one
   */
  static void renumber(byte[] b, int off, int len, int[] numbers, DataOutputStream out)
      throws IOException {
    if (isComplex(b, off)) {
      out.write(b, off, len);
      return;
    }
    boolean own = (b[off] & OWN_TIMESTAMPS) != 0;
    int end = off + len;
    int at = off + CELLS;
    out.write(b, off, CELLS);
    while (at < end) {
      int number = number(b, at, end, numbers.length);
      at += vlongSize(b[at]);
      WritableUtils.writeVLong(out, numbers[number]);
      int length = length(b, at, end, own);
      int rest = vlongSize(b[at]) + (own ? Bytes.SIZEOF_LONG : 0) + length;
      out.write(b, at, rest);
      at += rest;
    }
  }

  /** The number of a cell's column. */
  private static int number(byte[] b, int at, int end, int columns)
      throws CorruptIndexFileException {
    long number = vlong(b, at, end);
    if (number < 0 || number >= columns) {
      throw new CorruptIndexFileException("a record has column " + number + " of " + columns);
    }
    return (int) number;
  }

  /** The length of a value that is there, behind its timestamp if it has one of its own. */
  private static int length(byte[] b, int at, int end, boolean own)
      throws CorruptIndexFileException {
    long length = vlong(b, at, end);
    int left = end - at - vlongSize(b[at]) - (own ? Bytes.SIZEOF_LONG : 0);
    if (length < 0 || length > left) {
      throw new CorruptIndexFileException(
          "a record has a value of " + length + " bytes, " + left + " left");
    }
    return (int) length;
  }

  private static long vlong(byte[] b, int at, int end) throws CorruptIndexFileException {
    if (at >= end || at + vlongSize(b[at]) > end) {
      throw new CorruptIndexFileException("a record ends within a number");
    }
    return b[at] >= -112 ? b[at] : Bytes.readAsVLong(b, at);
  }

  /**
   * Whether the bytes can be a record: what is before its cells is there.
   *
   * @throws CorruptIndexFileException if it is not
   */
  static void check(byte[] b, int off, int len) throws CorruptIndexFileException {
    if (len < 1 || len < CELLS && !isComplex(b, off)) {
      throw new CorruptIndexFileException("a record of " + len + " bytes");
    }
  }

  private static KeyValue cell(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, byte[] b, int at, int length) {
    return new KeyValue(
        row,
        0,
        row.length,
        family,
        0,
        family.length,
        qualifier,
        0,
        qualifier.length,
        timestamp,
        KeyValue.Type.Put,
        b,
        at,
        length);
  }

  private static int vlongSize(byte first) {
    return first >= -112 ? 1 : WritableUtils.decodeVIntSize(first);
  }
}
