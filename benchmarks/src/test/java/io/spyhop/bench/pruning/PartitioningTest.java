package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PartitioningTest {
  private static Partitioning rows(int count) {
    Partitioning partitioning = new Partitioning();
    for (int i = 0; i < count; i++) {
      partitioning.row(Bytes.toBytes(String.format("%04d", i)), 10);
    }
    return partitioning;
  }

  @Test
  void regionsHaveTheSize() {
    assertThat(Arrays.stream(rows(100).splits(250, 1)).map(Bytes::toString))
        .containsExactly("0025", "0050", "0075");
  }

  @Test
  void smallTablesHaveTheLeastNumberOfRegions() {
    assertThat(rows(100).splits(1_000_000, 16)).hasNumberOfRows(15);
  }

  @Test
  void oneRegionNeedsNoSplit() {
    assertThat(rows(12).splits(1_000, 1)).isEmpty();
  }

  @Test
  void noMoreRegionsThanRows() {
    assertThat(rows(4).splits(10, 16)).hasNumberOfRows(3);
  }
}
