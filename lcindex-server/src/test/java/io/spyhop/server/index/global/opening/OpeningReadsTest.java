package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/** Of a new table's many regions each reads few rows of hbase:meta when it opens. */
class OpeningReadsTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final int REGIONS = 100;

  /** What the master and clients read of a region besides. */
  private static final int MOST_EACH = 20;

  private static long rowsRead(TableName table) {
    return CLUSTER.regions(table).stream().mapToLong(HRegion::getReadRequestsCount).sum();
  }

  @Test
  void rowsReadAreInProportion() throws Exception {
    String[] splits =
        IntStream.range(1, REGIONS).mapToObj("%03d"::formatted).toArray(String[]::new);
    long before = rowsRead(TableName.META_TABLE_NAME);
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, splits)) {
      t.awaitBuilt();
      assertThat(CLUSTER.regions(t.name())).hasSize(REGIONS);
      long openings = rowsRead(TableName.META_TABLE_NAME) - before;
      assertThat(openings / REGIONS).as("rows of hbase:meta, each").isLessThan(MOST_EACH);
    }
  }
}
