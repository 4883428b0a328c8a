package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Calls with the priority of index writes are served by handlers of their own. */
class IndexHandlersTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final String OURS = "spyhop.Index";

  /** Notes who serves a Get. */
  public static final class Noting implements RegionCoprocessor, RegionObserver {
    private static volatile String handler = "";

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result) {
      handler = Thread.currentThread().getName();
    }
  }

  @Test
  void othersCallsAreServedByHbases() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("a", 1));
      HRegion region = CLUSTER.regions(t.name()).get(0);
      region
          .getCoprocessorHost()
          .load(Noting.class, Coprocessor.PRIORITY_USER, region.getReadOnlyConfiguration());
      Get get = new Get(Bytes.toBytes("a"));
      get.setPriority(IndexWriter.PRIORITY);
      t.table().get(get);
      assertThat(Noting.handler).as("the servers' own user's").contains(OURS);
      Secured.as(
          CLUSTER, Secured.user(CLUSTER, "stranger"), t.name(), (c, table) -> table.get(get));
      assertThat(Noting.handler).contains("handler").doesNotContain(OURS);
    }
  }
}
