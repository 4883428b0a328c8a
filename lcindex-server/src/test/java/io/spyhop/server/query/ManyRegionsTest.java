package io.spyhop.server.query;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small answers from many regions come with a call or two a server. */
class ManyRegionsTest {
  private static final int REGIONS = 24;
  private static final int ROWS = 20;
  private static final byte[] WIDE = new byte[200 << 10];

  private IndexedTableFixture table;
  private Connection connection;
  private Spyhop spyhop;

  @BeforeEach
  void load() throws IOException {
    String[] splits =
        IntStream.range(1, REGIONS).mapToObj(i -> key(i * ROWS)).toArray(String[]::new);
    table = IndexedTableFixture.with(TestCluster.get(), t -> t.setColumnFamily(family()), splits);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < REGIONS * ROWS; i++) {
      puts.add(put(i));
    }
    table.table().put(puts);
    table.flushAndIndex();
    Configuration patient = new Configuration(TestCluster.get().connection().getConfiguration());
    patient.setInt("spyhop.client.first.millis", 60_000);
    connection = ConnectionFactory.createConnection(patient);
    spyhop = Spyhop.connect(connection);
  }

  private static ColumnFamilyDescriptor family() {
    return ColumnFamilyDescriptorBuilder.of(F);
  }

  private static Put put(int i) {
    return new Put(Bytes.toBytes(key(i)))
        .addColumn(F, q("price"), Bytes.toBytes((double) (i % ROWS)))
        .addColumn(F, q("name"), Bytes.toBytes("n" + i % 2));
  }

  private static String key(int i) {
    return "r%05d".formatted(i);
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    connection.close();
    table.close();
  }

  /** An answer, and the calls that all servers had meanwhile. */
  private record Asked(List<String> rows, long scans, long multis) {}

  private Asked ask(Query query) throws IOException {
    long scans = calls(MetricsRegionServerWrapper::getRpcScanRequestsCount);
    long multis = calls(MetricsRegionServerWrapper::getRpcMultiRequestsCount);
    List<String> rows = rows(() -> spyhop.table(table.name()).query(query));
    return new Asked(
        rows,
        calls(MetricsRegionServerWrapper::getRpcScanRequestsCount) - scans,
        calls(MetricsRegionServerWrapper::getRpcMultiRequestsCount) - multis);
  }

  private static List<String> rows(IoSupplier<RowCursor> query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = query.get()) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  private static long calls(ToLongFunction<MetricsRegionServerWrapper> count) {
    return TestCluster.get().util().getHBaseCluster().getRegionServerThreads().stream()
        .map(RegionServerThread::getRegionServer)
        .map(HRegionServer::getMetrics)
        .mapToLong(m -> count.applyAsLong(m.getRegionServerWrapper()))
        .sum();
  }

  private static List<String> expected(int from, int to) {
    return IntStream.range(0, REGIONS * ROWS)
        .filter(i -> i % ROWS >= from && i % ROWS < to)
        .mapToObj(ManyRegionsTest::key)
        .toList();
  }

  @Test
  void smallAnswersComeWithFewCalls() throws Exception {
    for (String hint : new String[] {"auto", "scan", "price"}) {
      Query one = Query.where("price >= 7 AND price < 9");
      Query hinted = hint.equals("auto") ? one : one.hint(hint);
      assertThat(ask(hinted).rows()).as(hint).isEqualTo(expected(7, 9));
      awaitAsked(
          hinted,
          asked -> {
            assertThat(asked.rows()).isEqualTo(expected(7, 9));
            assertThat(asked.scans()).isLessThan(REGIONS / 2);
          });
    }
    awaitAsked(
        Query.where("price > 100").pruning(false),
        none -> {
          assertThat(none.rows()).isEmpty();
          assertThat(none.scans()).isLessThan(REGIONS / 2);
          assertThat(none.multis()).isBetween(1L, 2L * TestCluster.SERVERS);
        });
  }

  /** Others call servers, too, and a region that does not answer in time is scanned for a while. */
  private void awaitAsked(Query query, Consumer<Asked> check) {
    await("an answer with few calls")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> check.accept(ask(query)));
  }

  /** Regions that were split since the client looked, and rows that do not fit into an answer. */
  @Test
  void whatIsBehindTheFirstRowsIsScanned() throws Exception {
    assertThat(ask(Query.where("price < 1")).rows()).isEqualTo(expected(0, 1));
    for (int i = 5; i < 9; i++) {
      table.table().put(put(i).addColumn(F, q("wide"), WIDE));
    }
    byte[] middle = Bytes.toBytes(key(3 * ROWS + ROWS / 2));
    TestCluster.get().admin().split(table.name(), middle);
    await("the split").until(() -> TestCluster.get().regions(table.name()).size() > REGIONS);
    Query most = Query.where("price >= 4 AND price < 16");
    assertThat(ask(most).rows()).isEqualTo(expected(4, 16));
    awaitAsked(
        most,
        asked -> {
          assertThat(asked.rows()).isEqualTo(expected(4, 16));
          assertThat(asked.scans()).isBetween(1L, REGIONS / 2L);
        });
  }

  /** Where most regions had more than a call can have, none is asked so for a while. */
  @Test
  void largeAnswersAreScannedAtOnce() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < REGIONS * ROWS; i++) {
      if (i % ROWS < 3) {
        puts.add(put(i).addColumn(F, q("wide"), WIDE));
      }
    }
    table.table().put(puts);
    Query large = Query.where("price < 5").pruning(false);
    Asked first = ask(large);
    assertThat(first.rows()).isEqualTo(expected(0, 5));
    assertThat(first.multis()).isPositive();
    awaitAsked(
        large,
        second -> {
          assertThat(second.rows()).isEqualTo(expected(0, 5));
          assertThat(second.multis()).isZero();
        });
    awaitAsked(
        Query.where("name = 'n9'").pruning(false),
        other -> assertThat(other.multis()).isPositive());
  }

  @Test
  void allRowsAreScanned() throws Exception {
    awaitAsked(
        Query.all(),
        asked -> {
          assertThat(asked.rows()).isEqualTo(expected(0, ROWS));
          assertThat(asked.multis()).isZero();
        });
  }

  /** Each region would be sent the condition at the same time. */
  @Test
  void largeConditionsAreSentByScans() throws Exception {
    String names =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "'n%d'".formatted(9 * i + 1))
            .collect(joining(", "));
    List<String> odd =
        IntStream.range(0, REGIONS * ROWS)
            .filter(i -> i % 2 == 1)
            .mapToObj(ManyRegionsTest::key)
            .toList();
    awaitAsked(
        Query.where("name IN (" + names + ")").pruning(false),
        asked -> {
          assertThat(asked.rows()).isEqualTo(odd);
          assertThat(asked.multis()).isZero();
        });
  }
}
