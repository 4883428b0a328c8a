package io.spyhop.server.index.local.column;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * One column of up to {@link #MAX_ROWS} rows of an HFile that follow each other ({@code
 * docs/formats/columns.md}). A value is a code in as few bits as the block's values need, in the
 * order of the values' keys. A block finds all rows that match, and where values share codes
 * perhaps others. Not thread-safe.
 */
public final class ColumnBlock {
  /** The most rows of a block. */
  public static final int MAX_ROWS = 4096;

  static final int VERSION = 2;

  /** With more ranges than this each code is looked up in them. */
  private static final int FEW_RANGES = 8;

  /** Memory for one block after the other. */
  public static final class Room {
    private final BitSlices.Room slices = new BitSlices.Room();
  }

  private final int rows;
  private final long[] has;
  private final long[] unsure;
  private final long[] complex;
  private final KeyCodes keys;
  private final BitSlices slices;

  /** What was looked for last, among which rows with a value, and the rows that were found. */
  private KeyRanges sought;

  private long[] searched;
  private long[] found;

  private ColumnBlock(byte[] bytes, int offset, int length, Room room) throws IOException {
    ByteArrayInputStream buffer = new ByteArrayInputStream(bytes, offset, length);
    DataInputStream in = new DataInputStream(buffer);
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new CorruptFrameException("a block of columns of version " + version);
    }
    rows = in.readUnsignedShort();
    if (rows == 0 || rows > MAX_ROWS) {
      throw new CorruptFrameException("a block of " + rows + " rows");
    }
    has = RowBits.read(in, rows);
    unsure = RowBits.read(in, rows);
    complex = RowBits.read(in, rows);
    keys = readKeys(in);
    int words = keys.bits() * BitSlices.words(rows);
    if (in.available() != words * Long.BYTES) {
      throw new CorruptFrameException(
          in.available() + " bytes of slices in place of " + words * Long.BYTES);
    }
    ByteBuffer stored = ByteBuffer.wrap(bytes, offset + length - in.available(), in.available());
    slices = new BitSlices(stored, keys.bits(), BitSlices.words(rows), room.slices);
    checkCodes();
  }

  private void checkCodes() throws CorruptFrameException {
    if (keys.last() < keys.max()) {
      long[] above = RowBits.none(rows);
      slices.addBetween(keys.last() + 1, keys.max(), has, above);
      RowBits.and(above, has);
      if (!RowBits.isEmpty(above)) {
        throw new CorruptFrameException("codes above " + keys.last());
      }
    }
  }

  private static KeyCodes readKeys(DataInputStream in) throws IOException {
    int form = in.readUnsignedByte();
    return switch (form) {
      case Differences.FORM -> Differences.read(in);
      case ListedKeys.FORM -> ListedKeys.read(in);
      case Decimals.FORM -> Decimals.read(in);
      default -> throw new CorruptFrameException("codes in form " + form);
    };
  }

  /**
   * Reads a block.
   *
   * @param bytes must not change as long as the block is in use
   * @param room no block that was read with it before is used any more
   * @throws CorruptFrameException if it is none
   */
  public static ColumnBlock decode(byte[] bytes, int offset, int length, Room room)
      throws CorruptFrameException {
    try {
      return new ColumnBlock(bytes, offset, length, room);
    } catch (CorruptFrameException e) {
      throw e;
    } catch (IOException e) {
      throw new CorruptFrameException("a block of columns that ends early", e);
    }
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /**
   * Adds the rows that have a value with a key in the ranges, or of which it cannot be told, and
   * perhaps others with the column. What was looked for last is remembered.
   */
  public void addMatching(KeyRanges wanted, long[] out) {
    RowBits.or(out, matchingOf(wanted, has));
  }

  /** The same of some rows. */
  public void addMatching(KeyRanges wanted, long[] among, long[] out) {
    long[] asked = among.clone();
    RowBits.and(asked, has);
    RowBits.or(out, matchingOf(wanted, asked));
  }

  /** Not to be modified; where the same was looked for among more rows, others are among them. */
  private long[] matchingOf(KeyRanges wanted, long[] among) {
    if (!wanted.equals(sought) || !RowBits.contain(searched, among)) {
      found = matching(wanted, among);
      sought = wanted;
      searched = among;
    }
    return found;
  }

  private long[] matching(KeyRanges wanted, long[] among) {
    long[] matching = new long[among.length];
    List<KeyRange> ranges = wanted.ranges();
    if (ranges.size() <= FEW_RANGES) {
      for (KeyRange r : ranges) {
        addBetween(least(r), most(r), among, matching);
      }
    } else {
      addAmong(ranges, among, matching);
    }
    RowBits.and(matching, among);
    RowBits.or(matching, unsure);
    return matching;
  }

  private void addBetween(long least, long most, long[] among, long[] out) {
    if (least <= most) {
      slices.addBetween(least, most, among, out);
    }
  }

  private void addAmong(List<KeyRange> ranges, long[] among, long[] out) {
    long[] least = new long[ranges.size()];
    long[] most = new long[ranges.size()];
    int count = 0;
    for (KeyRange r : ranges) {
      least[count] = least(r);
      most[count] = most(r);
      count += least[count] <= most[count] ? 1 : 0;
    }
    long[] codes = slices.codes(among);
    for (int row = RowBits.next(among, 0); row >= 0; row = RowBits.next(among, row + 1)) {
      int at = Arrays.binarySearch(least, 0, count, codes[row]);
      int last = at >= 0 ? at : -at - 2;
      // Ranges of keys are disjoint, but may begin with the same code.
      while (last + 1 < count && least[last + 1] == codes[row]) {
        last++;
      }
      if (last >= 0 && codes[row] <= most[last]) {
        RowBits.set(out, row);
      }
    }
  }

  /**
   * Adds those of some rows that have one value, of which it can be told that a condition is true.
   *
   * @param wanted outside these ranges it is not true of any value
   * @param isTrueWithin whether it is true of all values within one of them, ends aside
   * @param isTrueOf whether it is true of the value of a key, behind which zeros may follow
   */
  public void addCertain(
      KeyRanges wanted,
      boolean isTrueWithin,
      Predicate<byte[]> isTrueOf,
      long[] among,
      long[] out) {
    long[] asked = among.clone();
    RowBits.and(asked, has);
    if (isTrueWithin && wanted.ranges().size() <= FEW_RANGES) {
      long[] certain = matchingOf(wanted, asked).clone();
      RowBits.and(certain, asked);
      for (KeyRange r : wanted.ranges()) {
        removeFailingEnds(r, isTrueOf, certain);
      }
      RowBits.or(out, certain);
    } else if (keys.isExact()) {
      addPassing(isTrueOf, asked, out);
    }
  }

  /** Takes out the rows with the values at a range's ends, unless they pass. */
  private void removeFailingEnds(KeyRange range, Predicate<byte[]> isTrueOf, long[] some) {
    long least = least(range);
    long most = most(range);
    if (range.lower() != null && least <= most) {
      removeUnlessPassing(least, isTrueOf, some);
    }
    if (range.upper() != null && least <= most) {
      removeUnlessPassing(most, isTrueOf, some);
    }
  }

  private void removeUnlessPassing(long code, Predicate<byte[]> isTrueOf, long[] some) {
    if (keys.isEachValue() && isTrueOf.test(keys.key(code))) {
      return;
    }
    long[] rows = new long[some.length];
    slices.addEqual(code, some, rows);
    boolean passes = RowBits.isEmpty(rows) || keys.isExact() && isTrueOf.test(keys.key(code));
    if (!passes) {
      RowBits.andNot(some, rows);
    }
  }

  private void addPassing(Predicate<byte[]> isTrueOf, long[] asked, long[] out) {
    long[] codes = slices.codes(asked);
    long last = KeyCodes.BELOW;
    boolean passes = false;
    for (int row = RowBits.next(asked, 0); row >= 0; row = RowBits.next(asked, row + 1)) {
      if (codes[row] != last) {
        last = codes[row];
        passes = isTrueOf.test(keys.key(last));
      }
      if (passes) {
        RowBits.set(out, row);
      }
    }
  }

  /** Takes those of some rows out that have no value of which more than a range is known. */
  public void retainTold(long[] some) {
    for (int w = 0; w < some.length; w++) {
      some[w] &= ~unsure[w] & (keys.isExact() ? -1L : ~has[w]);
    }
  }

  /**
   * The codes of some rows; those of others, and of rows without a value, mean nothing.
   *
   * @return one for each row
   */
  public long[] codes(long[] some) {
    return slices.codes(some);
  }

  /**
   * Adds of some rows, each with one value, those with the least codes, or the greatest.
   *
   * @param wanted about so many: where codes are exact not more, and of equal ones the first rows;
   *     otherwise all rows of the last code
   */
  public void addFirst(int wanted, boolean greatest, long[] among, long[] out) {
    slices.addFirst(wanted, greatest, !isExact(), among, out);
  }

  /** Whether each code stands for one key. */
  public boolean isExact() {
    return keys.isExact();
  }

  /** Takes those of some rows out that have no value, and adds to others those with several. */
  public void separate(long[] some, long[] several) {
    for (int w = 0; w < some.length; w++) {
      several[w] |= some[w] & unsure[w];
      some[w] &= has[w];
    }
  }

  /** The key that a code stands for, where {@link #retainTold} leaves rows; zeros may follow. */
  public byte[] key(long code) {
    return keys.key(code);
  }

  /** The number that a code stands for, of floating point numbers that are decimals; else null. */
  public Double number(long code) {
    return keys instanceof Decimals decimals ? (Double) decimals.value(code) : null;
  }

  /** Adds the rows that have a put of the column. */
  public void addPresent(long[] out) {
    RowBits.or(out, has);
    RowBits.or(out, unsure);
  }

  /** Whether a row has a put of the column. */
  public boolean isPresent(int row) {
    return RowBits.get(has, row) || RowBits.get(unsure, row);
  }

  /** Whether a value alone says nothing of a row, see {@link #addComplex}. */
  public boolean isComplex(int row) {
    return RowBits.get(complex, row);
  }

  /** Takes out the rows that a value alone says nothing of. */
  public void removeComplex(long[] some) {
    RowBits.andNot(some, complex);
  }

  /** Adds the rows that have no put of the column. */
  public void addAbsent(long[] out) {
    for (int w = 0; w < out.length; w++) {
      out[w] |= ~(has[w] | unsure[w]);
    }
  }

  /** Adds the rows that a value alone says nothing of: several versions, delete markers, tags. */
  public void addComplex(long[] out) {
    RowBits.or(out, complex);
  }

  private long least(KeyRange range) {
    return range.lower() == null ? 0 : keys.least(range.lower().bytes());
  }

  private long most(KeyRange range) {
    return range.upper() == null ? keys.last() : keys.most(range.upper().bytes());
  }
}
