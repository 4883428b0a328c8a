package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.admin.VirtualTime;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.RegionRequest.Kind;
import io.spyhop.core.region.RegionStatus;
import io.spyhop.core.region.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexAdminTest {
  private static final TableName TABLE = FakeCluster.TABLE;
  private static final IndexDefinition PRICE = index("price", "d:price", ValueType.LONG);
  private static final IndexDefinition DATE = index("date", "d:date", ValueType.DATE);

  private final FakeCluster cluster = new FakeCluster();
  private final VirtualTime time = new VirtualTime();
  private final IndexAdmin admin = new IndexAdmin(cluster.connection(), time.poll());
  private final List<Kind> asked = new ArrayList<>();
  private int metricsCalls;

  private static IndexDefinition index(String name, String column, ValueType type) {
    return IndexDefinition.builder(name).column(column).type(type).build();
  }

  @BeforeEach
  void installed() {
    metrics(call -> metrics(true, true));
    cluster.answers = this::note;
  }

  private Object note(RegionInfo region, RegionRequest request) {
    asked.add(request.kind());
    return null;
  }

  private void metrics(IntFunction<ClusterMetrics> answer) {
    cluster.adminMethods = Map.of("getClusterMetrics", (p, m, a) -> answer.apply(++metricsCalls));
  }

  private static ClusterMetrics metrics(boolean master, boolean secondServer) {
    ServerName first = ServerName.valueOf("one", 16020, 1);
    ServerName second = ServerName.valueOf("two", 16020, 1);
    return ClusterMetricsBuilder.newBuilder()
        .setMasterName(ServerName.valueOf("boss", 16000, 1))
        .setMasterCoprocessorNames(master ? List.of("Other", "SpyhopMaster") : List.of("Other"))
        .setLiveServerMetrics(
            Map.of(
                first,
                ServerMetricsBuilder.newBuilder(first)
                    .setCoprocessorNames(List.of("SpyhopRegionServer"))
                    .build(),
                second,
                ServerMetricsBuilder.newBuilder(second)
                    .setCoprocessorNames(secondServer ? List.of("SpyhopRegionServer") : List.of())
                    .build()))
        .build();
  }

  @Test
  void theFirstIndexReopensTheTable() throws IOException {
    admin.createIndex(TABLE, PRICE);
    assertThat(admin.listIndexes(TABLE)).containsExactly(PRICE);
    assertThat(cluster.descriptor.hasCoprocessor(IndexSchema.REGION_COPROCESSOR)).isTrue();
    assertThat(cluster.reopened).containsExactly(true);
    assertThat(asked).isEmpty();
  }

  @Test
  void laterOnesDoNotButTellTheRegions() throws IOException {
    admin.createIndex(TABLE, PRICE);
    admin.createIndex(TABLE, DATE);
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE, PRICE);
    assertThat(cluster.reopened).containsExactly(true, false);
    assertThat(asked).containsExactly(Kind.REFRESH, Kind.REFRESH, Kind.REFRESH);
    admin.dropIndex(TABLE, "price");
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE);
    assertThat(cluster.reopened).containsExactly(true, false, false);
    assertThat(asked).hasSize(6);
  }

  @Test
  void reopensWhereHBaseDoesNotChangeTheTableOtherwise() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.refusal =
        new HBaseIOException(
            "Can not modify Coprocessor when table modification won't reopen regions");
    admin.createIndex(TABLE, DATE);
    admin.dropIndex(TABLE, "price");
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE);
    assertThat(cluster.reopened).containsExactly(true, true, true);
    assertThat(asked).as("opened regions need not be told").isEmpty();
  }

  @Test
  void otherRefusalsFailTheChange() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.refusal = new HBaseIOException("table is being split");
    assertThatThrownBy(() -> admin.createIndex(TABLE, DATE)).hasMessage("table is being split");
    assertThat(cluster.reopened).containsExactly(true);
  }

  @Test
  void severalIndexesAreOneChange() throws IOException {
    admin.createIndexes(TABLE, List.of(PRICE, DATE));
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE, PRICE);
    assertThat(cluster.reopened).hasSize(1);
    admin.createIndexes(TABLE, List.of());
    assertThat(cluster.reopened).hasSize(1);
  }

  @Test
  void regionsThatCannotBeToldDoNotFailTheChange() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> {
          throw new IOException("network is down");
        };
    admin.createIndex(TABLE, DATE);
    assertThat(admin.listIndexes(TABLE)).hasSize(2);
  }

  @Test
  void refusesWhatCannotBe() throws IOException {
    assertThatThrownBy(() -> admin.createIndex(TableName.valueOf("nowhere"), PRICE))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageStartingWith("table 'nowhere' does not exist");
    assertThatThrownBy(() -> admin.createIndex(TABLE, index("x", "f:x", ValueType.LONG)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no column family 'f'");
    admin.createIndex(TABLE, PRICE);
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("already has an index 'price'");
    assertThatThrownBy(() -> admin.dropIndex(TABLE, "nosuch"))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no index 'nosuch'");
    assertThat(cluster.reopened).hasSize(1);
  }

  @Test
  void refusesWhereServersLackSpyhop() {
    metrics(call -> metrics(false, false));
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(SpyhopNotInstalledException.class)
        .hasMessageStartingWith(
            "Spyhop is not loaded on master boss,16000,1, region server two,16020,1: ")
        .hasMessageContaining("conf/hbase-site-spyhop.xml");
    assertThat(cluster.reopened).isEmpty();
    assertThat(Duration.ofNanos(time.nanos())).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void waitsForTheFirstReportOfAServer() throws IOException {
    metrics(call -> metrics(true, call > 4));
    admin.createIndex(TABLE, PRICE);
    assertThat(cluster.reopened).containsExactly(true);
    assertThat(Duration.ofNanos(time.nanos())).isEqualTo(Duration.ofMillis(800));
  }

  private byte[] covered(RegionInfo region, int covered) {
    IndexState state =
        new IndexState("price", PRICE.incarnation(), 2, covered, 10, 0, 0, 100, 10, 0, "");
    return new RegionStatus(region.getEncodedName(), "host,16020,1", List.of(state), List.of())
        .encode();
  }

  @Test
  void asksRegionsForTheStatus() throws IOException {
    assertThat(admin.status(TABLE)).isEmpty();
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> {
          note(region, request);
          return covered(region, 2);
        };
    assertThat(admin.status(TABLE))
        .singleElement()
        .isEqualTo(
            new IndexStatus(PRICE, State.ACTIVE, 3, 3, 6, 6, 30, 0, 0, 300, 30, 0, List.of()));
    assertThat(asked).containsOnly(Kind.STATUS);
  }

  @Test
  void waitsUntilActive() throws IOException {
    admin.waitUntilActive(TABLE, Duration.ZERO);
    admin.createIndex(TABLE, PRICE);
    cluster.answers = (region, request) -> covered(region, time.nanos() > 1_000_000_000L ? 2 : 1);
    admin.waitUntilActive(TABLE, Duration.ofMinutes(1));
    assertThat(Duration.ofNanos(time.nanos())).isEqualTo(Duration.ofMillis(1100));
  }

  @Test
  void saysHowFarItIsWhenTheTimeIsUp() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> region.getStartKey().length == 0 ? null : covered(region, 1);
    assertThatThrownBy(() -> admin.waitUntilActive(TABLE, Duration.ofSeconds(3)))
        .isInstanceOf(TimeoutIOException.class)
        .hasMessage(
            "table 'orders': not all indexes are active after 3000 ms: index 'price' BUILDING: 2 of"
                + " 4 HFiles covered, 2 of 3 regions answered (1 region does not answer: is Spyhop"
                + " installed on their servers?); they go on building, wait longer or look at their"
                + " status");
  }
}
