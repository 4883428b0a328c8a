package io.spyhop.bench.pruning;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** Cuts a table into regions of a size, as the paper does. Not thread-safe. */
final class Partitioning {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Long> ends = new ArrayList<>();
  private long total;

  /** The next row, in key order or nearly so. */
  void row(byte[] key, long bytes) {
    total += bytes;
    keys.add(key);
    ends.add(total);
  }

  /**
   * Where regions begin, the first left out.
   *
   * @param partitionBytes how much a region has
   * @param least how many regions there are at least, if there are as many rows
   */
  byte[][] splits(long partitionBytes, int least) {
    long regions = Math.max(least, (total + partitionBytes - 1) / partitionBytes);
    TreeSet<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    long next = 1;
    for (int row = 1; row < keys.size() && next < regions; row++) {
      if (ends.get(row - 1) >= total * next / regions) {
        splits.add(keys.get(row));
        next++;
      }
    }
    return splits.toArray(new byte[0][]);
  }
}
