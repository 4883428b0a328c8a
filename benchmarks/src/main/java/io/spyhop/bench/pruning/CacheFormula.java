package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.core.value.ValueType;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the paper's size of a statistics cache (section 6.3 and Table 4). Stateless. */
final class CacheFormula {
  /** The paper's Table 4. */
  static final SortedMap<String, Long> PAPER =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(
              Map.of(
                  "date_dim", 4_680L,
                  "store_sales", 2_800L,
                  "item", 4_700L,
                  "household_demographics", 870L,
                  "time_dim", 454L,
                  "store", 874L)));

  /** Names of stores are VARCHAR(50). */
  private static final int TEXT_BYTES = 50;

  private CacheFormula() {}

  /**
   * The formula: n<sub>p</sub> x (sum of 2 x s<sub>i</sub> over the columns + bits / 8 x
   * n<sub>bf</sub>) bytes, with a filter for every column.
   *
   * @param partitions n<sub>p</sub>
   * @param valueBytes s<sub>i</sub> of each column
   * @param bloomBits the size of a filter
   */
  static long bytes(int partitions, int[] valueBytes, int bloomBits) {
    long partition = 0;
    for (int size : valueBytes) {
      partition += 2L * size + bloomBits / Byte.SIZE;
    }
    return partitions * partition;
  }

  /** The formula for a table's columns with statistics. */
  static long bytes(TpcdsTable table, int partitions, int bloomBits) {
    int[] sizes =
        table.statisticsColumns().values().stream()
            .mapToInt(t -> t == ValueType.INT ? Integer.BYTES : TEXT_BYTES)
            .toArray();
    return bytes(partitions, sizes, bloomBits);
  }
}
