package io.spyhop.server.hook;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.util.List;
import java.util.SortedSet;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same where access is not checked, for a client that does not call itself a superuser. */
class ReservedTablesUnsecuredTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final String REFUSED = "it holds a global index and is for the servers' own user";

  private static GlobalFixture table;
  private static User anybody;

  @BeforeAll
  static void create() throws Exception {
    table = new GlobalFixture(CLUSTER, f -> f, d -> d);
    table.awaitBuilt();
    table.write(put("a", 1, 100), put("b", 2, 100), put("c", 3, 100));
    anybody = Secured.user(CLUSTER, "anybody");
  }

  @AfterAll
  static void drop() throws Exception {
    table.close();
  }

  @ParameterizedTest
  @EnumSource
  void everybodyIsRefused(IndexTableWays way) throws Exception {
    byte[] row = table.indexRow("b", 2);
    SortedSet<String> before = table.entries();
    assertThatThrownBy(
            () ->
                Secured.as(
                    CLUSTER,
                    anybody,
                    table.indexName(),
                    (c, index) -> {
                      way.go(c, index, row);
                      return null;
                    }))
        .hasMessageContaining(REFUSED);
    assertThat(table.entries()).isEqualTo(before);
  }

  @Test
  void scannersOfSuperusersAreNotReadByOthers() throws Exception {
    HRegion region = CLUSTER.regions(table.indexName()).get(0);
    byte[] name = region.getRegionInfo().getRegionName();
    for (boolean close : new boolean[] {false, true}) {
      ScanRequest open = RequestConverter.buildScanRequest(name, new Scan(), 0, false);
      long scanner = call(CLUSTER.connection(), region, open).getScannerId();
      ScanRequest next = RequestConverter.buildScanRequest(scanner, close ? 0 : 2, close, false);
      assertThatThrownBy(
              () -> Secured.as(CLUSTER, anybody, table.name(), (c, t) -> call(c, region, next)))
          .hasMessageContaining(REFUSED);
    }
  }

  private static ScanResponse call(Connection c, HRegion region, ScanRequest request)
      throws Exception {
    try {
      return ((ClusterConnection) c).getClient(CLUSTER.serverOf(region)).scan(null, request);
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }

  /** A write of a table writes its entries, in whichever way; queries use them. */
  @Test
  void indexesServeEverybody() throws Exception {
    for (Maintenance maintenance : Maintenance.values()) {
      try (GlobalFixture t =
          new GlobalFixture(CLUSTER, f -> f, d -> d.maintenance(maintenance), "b", "m")) {
        t.awaitBuilt();
        Secured.as(
            CLUSTER,
            anybody,
            t.name(),
            (c, mine) -> {
              mine.put(List.of(put("a", 1, 100), put("b", 2, 100), put("n", 2, 100)));
              mine.put(put("a", 2, 200));
              mine.increment(
                  new Increment(Bytes.toBytes("b")).addColumn(GlobalFixture.F, GlobalFixture.V, 5));
              mine.delete(new Delete(Bytes.toBytes("n")));
              try (Spyhop spyhop = Spyhop.connect(c)) {
                DeferredIndexTable entered = spyhop.deferred(t.name(), "v").enteringFromClient();
                entered.write(Bytes.toBytes("z"), 2L, 300);
                assertThat(entered.readValue(2L, Long.MAX_VALUE, 1, Paging.first(9)).cells())
                    .hasSize(2);
                QueryPlan plan = spyhop.table(t.name()).explainAnalyze(Query.where("v = 2"));
                assertThat(plan.driving()).as(plan.toText()).isEqualTo("v");
                assertThat(spyhop.admin().verify(t.name(), "v", true).missing()).isZero();
              }
              return null;
            });
        assertThat(Secured.queried(CLUSTER, anybody, t.name(), q -> q, "v = 2"))
            .containsExactly("a/v@200", "z/v@300");
      }
    }
  }
}
