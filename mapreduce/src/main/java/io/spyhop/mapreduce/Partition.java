package io.spyhop.mapreduce;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Splits that together have each row of a range once: whatever the regions looked like while they
 * were listed, and whatever arithmetic divided them. Rows have at least one byte; an empty end is
 * the table's. Stateless.
 */
final class Partition {
  private Partition() {}

  /**
   * Divides a split at keys within it; the first part begins and the last ends where the split
   * does.
   *
   * @param parts how many are wanted; where there are not so many keys, there are fewer
   */
  static List<TableSplit> divide(TableSplit split, int parts) {
    byte[] low = split.getStartRow();
    byte[] high = split.getEndRow().length > 0 ? split.getEndRow() : behind(low);
    int length = Math.max(low.length, high.length) + 1;
    BigInteger from = number(low, length);
    BigInteger width = number(high, length).subtract(from);
    List<TableSplit> divided = new ArrayList<>();
    byte[] start = low;
    for (int i = 1; i < parts; i++) {
      byte[] key =
          key(
              from.add(width.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(parts))),
              length);
      if (Bytes.compareTo(key, start) > 0 && Bytes.compareTo(key, high) < 0) {
        divided.add(part(split, start, key, split.getLength() / parts));
        start = key;
      }
    }
    divided.add(part(split, start, split.getEndRow(), split.getLength() / parts));
    return divided;
  }

  private static BigInteger number(byte[] key, int length) {
    return new BigInteger(1, Arrays.copyOf(key, length));
  }

  private static byte[] key(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] key = new byte[length];
    int used = Math.min(bytes.length, length);
    System.arraycopy(bytes, bytes.length - used, key, length - used, used);
    return key;
  }

  /** A key greater than that of a last region; rows beyond it belong to its last part. */
  private static byte[] behind(byte[] start) {
    byte[] key = new byte[start.length + 1];
    Arrays.fill(key, (byte) 0xFF);
    return key;
  }

  /**
   * Cuts what overlaps and closes what is missing between splits.
   *
   * @param start of the range, inclusive
   * @param end of the range, exclusive
   */
  static List<TableSplit> complete(List<TableSplit> splits, byte[] start, byte[] end) {
    List<TableSplit> sorted = new ArrayList<>(splits);
    sorted.sort(Comparator.comparing(TableSplit::getStartRow, Bytes.BYTES_COMPARATOR));
    List<TableSplit> all = new ArrayList<>();
    byte[] covered = start;
    for (TableSplit split : sorted) {
      boolean toTheEnd = split.getEndRow().length == 0;
      if (!toTheEnd && Bytes.compareTo(split.getEndRow(), covered) <= 0) {
        continue;
      }
      // What no split has is read with the one behind it.
      all.add(part(split, covered, split.getEndRow(), split.getLength()));
      covered = split.getEndRow();
      if (toTheEnd) {
        return all;
      }
    }
    boolean missing = end.length == 0 || Bytes.compareTo(covered, end) < 0;
    if (missing && !all.isEmpty()) {
      TableSplit last = all.remove(all.size() - 1);
      all.add(part(last, last.getStartRow(), end, last.getLength()));
    }
    return all;
  }

  private static TableSplit part(TableSplit of, byte[] start, byte[] end, long length) {
    return new TableSplit(
        of.getTable(), null, start, end, of.getRegionLocation(), of.getEncodedRegionName(), length);
  }
}
