package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server without Spyhop joins a cluster of processes, is moved regions, is given those of a
 * server that dies, and dies itself: no query misses an acknowledged write. Run by {@code
 * scripts/without-spyhop}; not part of an ordinary run.
 */
@Tag("soak")
class WithoutSpyhopTest {
  private static final Logger LOG = LoggerFactory.getLogger(WithoutSpyhopTest.class);
  private static final TableName NAME = TableName.valueOf("without");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int ROWS = 40;

  private final Map<String, Long> written = new TreeMap<>();
  private long value;
  private long byIndex;
  private long queries;

  @Test
  void noWriteIsMissed() throws Exception {
    try (CrashCluster cluster = new CrashCluster(3);
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        Table table = cluster.connection().getTable(NAME);
        Admin admin = cluster.connection().getAdmin()) {
      create(admin, spyhop);
      for (int round = 0; round < Integer.getInteger("spyhop.rounds", 2); round++) {
        round(cluster, spyhop, table, admin);
      }
      LOG.warn("{} queries, {} of them by the index; nothing was missed", queries, byIndex);
    }
  }

  private void create(Admin admin, Spyhop spyhop) throws IOException {
    admin.balancerSwitch(false, true);
    byte[][] splits = {row(10), row(20), row(30)};
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        splits);
    IndexDefinition index =
        IndexDefinition.builder("v")
            .kind(IndexKind.GLOBAL)
            .column("f:v")
            .type(ValueType.LONG)
            .build();
    spyhop.admin().createIndex(NAME, index);
    spyhop.admin().waitUntilActive(NAME, PATIENCE);
  }

  private void round(CrashCluster cluster, Spyhop spyhop, Table table, Admin admin)
      throws Exception {
    steps(spyhop, table, 10);
    assertThat(byIndex).isPositive();
    int without = cluster.addWithoutSpyhop();
    cluster.awaitServers();
    move(admin, admin.getRegions(NAME).get(1), cluster.name(without));
    steps(spyhop, table, 10);
    requireSaid(spyhop, cluster.name(without));

    int victim = (without + 1) % 3;
    cluster.kill9(victim);
    steps(spyhop, table, 30);
    cluster.start(victim);
    cluster.awaitServers();
    steps(spyhop, table, 10);

    cluster.kill9(without);
    steps(spyhop, table, 10);
    await("the dead server's end").atMost(PATIENCE).until(() -> !cluster.isListed(without));
    spyhop.admin().waitUntilActive(NAME, PATIENCE);
    long before = byIndex;
    steps(spyhop, table, 10);
    assertThat(byIndex).isGreaterThan(before);
    VerifyReport report = spyhop.admin().verify(NAME, "v", false);
    assertThat(report.missing()).as("%s", report).isZero();
    cluster.removeLast();
  }

  private static void requireSaid(Spyhop spyhop, ServerName without) throws IOException {
    IndexStatus status = spyhop.admin().status(NAME).get(0);
    assertThat(status.state()).isEqualTo(IndexStatus.State.BUILDING);
    assertThat(String.join(" ", status.errors())).contains(without + " runs without Spyhop");
  }

  /** A server is listed a moment before it takes regions, and those go elsewhere then. */
  private static void move(Admin admin, RegionInfo region, ServerName to) {
    await("the move")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(
            () -> {
              boolean moved = admin.getRegions(to).contains(region);
              if (!moved) {
                admin.move(region.getEncodedNameAsBytes(), to);
              }
              return moved;
            });
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%02d", i));
  }

  /** Each writes rows of all regions, then asks for what it wrote and for what others did. */
  private void steps(Spyhop spyhop, Table table, int count) throws IOException {
    for (int step = 0; step < count; step++) {
      value++;
      List<Put> puts = new ArrayList<>();
      for (int i = (int) (value % 7); i < ROWS; i += 7) {
        puts.add(new Put(row(i)).addColumn(F, V, Bytes.toBytes(value)));
        written.put(Bytes.toString(row(i)), value);
      }
      table.put(puts);
      for (long asked = Math.max(1, value - 7); asked <= value; asked += 3) {
        require(spyhop, asked);
      }
      require(spyhop, value);
    }
  }

  private void require(Spyhop spyhop, long asked) throws IOException {
    List<String> expected =
        written.entrySet().stream()
            .filter(e -> e.getValue() == asked)
            .map(Map.Entry::getKey)
            .toList();
    Query query = Query.where("v = " + asked);
    List<String> found = new ArrayList<>();
    try (RowCursor rows = spyhop.table(NAME).query(query)) {
      rows.forEach(r -> found.add(Bytes.toString(r.getRow())));
      queries++;
    }
    assertThat(found).as("rows with %s", asked).isEqualTo(expected);
    boolean indexed =
        spyhop.table(NAME).explain(query).global().filter(g -> g.reason().isEmpty()).isPresent();
    byIndex += indexed ? 1 : 0;
  }
}
