package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexUnavailableException;
import io.spyhop.client.OnUnavailable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.ServerWithoutSpyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A global index is believed while every region of its table is open on a server with Spyhop, and
 * was ever since it was built (correctness rule 28).
 */
class UnwatchedServerTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The master may refuse a move, or not make it, while the region or the server is new. */
  private static void move(RegionInfo region, ServerName to) {
    await("the move")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .pollDelay(Duration.ZERO)
        .ignoreExceptions()
        .until(
            () -> {
              if (CLUSTER.admin().getRegions(to).contains(region)) {
                return true;
              }
              CLUSTER.admin().move(region.getEncodedNameAsBytes(), to);
              return false;
            });
  }

  private static ServerName otherThan(RegionInfo region, ServerName without) throws IOException {
    for (ServerName s : CLUSTER.admin().getRegionServers()) {
      if (!s.equals(without) && !CLUSTER.admin().getRegions(s).contains(region)) {
        return s;
      }
    }
    throw new AssertionError("one server only");
  }

  private static List<String> rows(Spyhop spyhop, GlobalFixture t, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(t.name()).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  /** Whether the index answered for all rows; the query is answered as by the scan in any case. */
  private static boolean usesIndex(Spyhop spyhop, GlobalFixture t, long value, String... found)
      throws IOException {
    Query query = Query.where("v = " + value);
    assertThat(rows(spyhop, t, query.hint(Attributes.PATH_SCAN))).containsExactly(found);
    assertThat(rows(spyhop, t, query)).containsExactly(found);
    QueryPlan.Global global = spyhop.table(t.name()).explain(query).global().orElseThrow();
    assertThat(global.reason()).isEmpty();
    return global.unknown() == 0;
  }

  /** Of rows that the index may lack nothing is scanned then. */
  private static List<String> knownRows(Spyhop spyhop, GlobalFixture t, Query query)
      throws IOException {
    return rows(spyhop, t, query.onUnavailable(OnUnavailable.FAIL));
  }

  private static ControlNotes notes(GlobalFixture t) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table index = CLUSTER.connection().getTable(t.indexName());
        ResultScanner rows = index.getScanner(ControlRows.scan())) {
      for (Result r : rows) {
        cells.addAll(r.listCells());
      }
    }
    return ControlRows.notes(cells);
  }

  private static IndexStatus.Global status(Spyhop spyhop, GlobalFixture t) throws IOException {
    return (IndexStatus.Global) spyhop.admin().status(t.name()).get(0);
  }

  @Test
  void whatIsWrittenWithoutSpyhopIsFoundMeanwhileAndAfterwards() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      t.write(put("a", 1), put("n", 1), put("x", 1));
      t.awaitBuilt();
      assertThat(usesIndex(spyhop, t, 1, "a", "n", "x")).isTrue();
      RegionInfo region = CLUSTER.admin().getRegions(t.name()).get(1);
      try (ServerWithoutSpyhop without = new ServerWithoutSpyhop(CLUSTER)) {
        move(region, without.name());
        t.write(put("a", 7), put("n", 7), put("z", 7));
        assertThat(usesIndex(spyhop, t, 7, "a", "n", "z")).isFalse();
        Query query = Query.where("v = 7");
        assertThat(knownRows(spyhop, t, query.range(new byte[0], Bytes.toBytes("m"))))
            .containsExactly("a");
        assertThatThrownBy(() -> knownRows(spyhop, t, query))
            .hasRootCauseInstanceOf(IndexUnavailableException.class)
            .rootCause()
            .hasMessageContainingAll(t.name().toString(), "BUILDING", "onUnavailable");
        IndexStatus.Global status = status(spyhop, t);
        assertThat(status.state()).isEqualTo(IndexStatus.State.BUILDING);
        assertThat(status.built()).isEqualTo(1);
        assertThat(status.errors())
            .filteredOn(e -> e.contains("without Spyhop"))
            .singleElement()
            .asString()
            .contains(without.name().toString());

        move(region, otherThan(region, without.name()));
        t.awaitBuilt();
        assertThat(usesIndex(spyhop, t, 7, "a", "n", "z")).isTrue();
        assertThat(t.entries()).containsAll(t.expected());
        assertThat(status(spyhop, t).state()).isEqualTo(IndexStatus.State.ACTIVE);
        assertThat(status(spyhop, t).errors()).isEmpty();

        move(region, without.name());
        t.write(put("y", 8));
      }
      assertThat(rows(spyhop, t, Query.where("v = 8"))).containsExactly("y");
      t.awaitBuilt();
      assertThat(usesIndex(spyhop, t, 8, "y")).isTrue();
    }
  }

  @Test
  void whatAWatchedRegionHadIsNotBuiltAgain() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      t.write(put("a", 1), put("c", 1), put("n", 1));
      t.awaitBuilt();
      List<RegionInfo> regions = CLUSTER.admin().getRegions(t.name());
      ServerName to = otherThan(regions.get(0), null);
      move(regions.get(0), to);
      awaitMarked(t, regions.get(0), to);
      byte[][] both =
          regions.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
      CLUSTER.admin().mergeRegionsAsync(both, false).get(60, TimeUnit.SECONDS);
      t.awaitBuilt();
      assertThat(usesIndex(spyhop, t, 1, "a", "c", "n")).isTrue();
      assertThat(notes(t).built())
          .as("no note of the merged region's range")
          .extracting(b -> b.range().toString())
          .containsOnly("[, m)", "[m, )");
      assertThat(notes(t).marks().stream().filter(OpeningMark::isOpen)).hasSize(1);
    }
  }

  /** A region that closes again before it is marked would be built again. */
  private static void awaitMarked(GlobalFixture t, RegionInfo region, ServerName at) {
    await("the mark")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                notes(t).marks().stream()
                    .filter(m -> Arrays.equals(m.regionName(), region.getRegionName()))
                    .anyMatch(m -> m.isOpen() && m.server().equals(at)));
  }

  @Test
  void daughtersHaveWhatTheirParentHad() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      t.write(put("a", 1), put("c", 1), put("n", 1));
      t.awaitBuilt();
      List<ControlNotes.Built> built = notes(t).built();
      Admin admin = CLUSTER.admin();
      byte[] parent = admin.getRegions(t.name()).get(0).getRegionName();
      admin.splitRegionAsync(parent, Bytes.toBytes("b")).get(60, TimeUnit.SECONDS);
      t.awaitBuilt();
      assertThat(usesIndex(spyhop, t, 1, "a", "c", "n")).isTrue();
      assertThat(notes(t).built()).hasSameSizeAs(built);
      assertThat(notes(t).marks().stream().filter(OpeningMark::isOpen)).hasSize(2);
    }
  }

  /** Nobody writes to it meanwhile. */
  @Test
  void aRegionThatIsClosedIsKnownAsItWas() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      t.write(put("a", 1), put("n", 2));
      t.awaitBuilt();
      RegionInfo region = CLUSTER.admin().getRegions(t.name()).get(1);
      CLUSTER.admin().unassign(region.getRegionName());
      assertThat(knownRows(spyhop, t, Query.where("v = 1"))).containsExactly("a");
      assertThat(knownRows(spyhop, t, Query.where("v = 3"))).isEmpty();
      CLUSTER.admin().assign(region.getRegionName());
      assertThat(rows(spyhop, t, Query.where("v = 2"))).containsExactly("n");
      CLUSTER.admin().disableTable(t.name());
      assertThatThrownBy(() -> knownRows(spyhop, t, Query.where("v = 3")))
          .hasRootCauseInstanceOf(TableNotEnabledException.class);
      CLUSTER.admin().enableTable(t.name());
    }
  }
}
