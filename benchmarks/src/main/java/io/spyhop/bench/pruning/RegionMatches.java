package io.spyhop.bench.pruning;

import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.Bytes;

/** Counts in which regions rows of an answer are: what an oracle would read. Not thread-safe. */
final class RegionMatches {
  private final TableScan scan;
  private final TreeMap<byte[], Integer> byStart = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final BitSet regions = new BitSet();
  private long rows;

  /**
   * @param startKeys of all regions of the table; one of them is empty
   */
  RegionMatches(TableScan scan, List<byte[]> startKeys) {
    this.scan = scan;
    for (int i = 0; i < startKeys.size(); i++) {
      byStart.put(startKeys.get(i), i);
    }
    if (!byStart.containsKey(new byte[0])) {
      throw new IllegalArgumentException("no region has the table's first rows");
    }
  }

  /** Looks at a row of the table; see {@link TableScan#matches}. */
  void row(byte[] key, Function<String, byte[]> stored) {
    if (scan.matches(stored)) {
      regions.set(byStart.floorEntry(key).getValue());
      rows++;
    }
  }

  /** How many regions hold a row of the answer. */
  int regions() {
    return regions.cardinality();
  }

  /** How many rows the answer has. */
  long rows() {
    return rows;
  }
}
