package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.view.store.ViewRegion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rolling upgrade of HBase itself, from another line to the one that this is compiled against:
 * {@code scripts/hbase-upgrade}. One server is restarted under writes; the regions of the other are
 * moved away before, and then nothing is built again. Not part of an ordinary run.
 */
@Tag("soak")
class HBaseUpgradeTest {
  private static final TableName TABLE = UpgradeClient.TABLE;
  private static final int REGIONS = 4;
  private static final TableName TRACKED = TableName.valueOf("tracked");
  private static final int TRACKED_ROWS = 100;
  private static final String TRACKER = "hbase.store.file-tracker.";
  private static final byte[] F = Bytes.toBytes("f");
  private static final Duration LONG = Duration.ofMinutes(3);

  /** Jobs that read an HFile, or the index files of several, to make those of one. */
  private static final Set<String> BUILDING = Set.of("FLUSH", "COMPACT", "STATISTICS");

  /** A store of one HFile needs no view. */
  private static final Map<String, String> VIEWS =
      Map.of(
          HConstants.REGION_IMPL,
          ViewRegion.class.getName(),
          "hbase.hstore.compaction.min",
          "100",
          "hbase.hstore.blockingStoreFiles",
          "1000");

  private CrashCluster cluster;
  private IndexAdmin admin;

  @Test
  void nothingDiffersAndNothingIsBuiltAgain() throws Exception {
    OtherVersion versions = new OtherVersion();
    String old = versions.onOtherHBase();
    String ours = versions.ourVersion();
    try (CrashCluster started = new CrashCluster(2, "512m", old, VIEWS);
        Spyhop spyhop = Spyhop.connect(started.connection())) {
      cluster = started;
      admin = spyhop.admin();
      UpgradedTable table = new UpgradedTable(cluster, List.of(old, ours));
      table.index(spyhop, local("clustering", Layout.CLUSTERING));
      table.index(spyhop, local("columnar", Layout.COLUMNAR));
      table.index(spyhop, synchronous());
      admin.setSortedView(TABLE, "f", true);
      trackInFiles();
      table.check("all old", false);
      table.restarted("master new", false, () -> cluster.restartMaster(ours));
      table.restarted("server 0 new", false, () -> cluster.restart(0, ours));
      awaitQuiet();
      List<String> before = built();
      move(1, 0);
      cluster.restart(1, ours);
      long restarted = System.currentTimeMillis();
      move(0, 1);
      awaitQuiet();
      assertThat(built()).isEqualTo(before);
      assertThat(admin.jobs().stream().filter(j -> j.endedAt() > restarted).map(JobRecord::kind))
          .doesNotContainAnyElementsOf(BUILDING)
          .contains("REMOTE", "VIEW");
      table.check("all new", false);
      assertThat(rowsOfTracked()).isEqualTo(TRACKED_ROWS);
    }
  }

  /** As docs/compatibility.md has it: HBase 2.6 does not see what 2.5 tracks in files. */
  private void trackInFiles() throws IOException {
    try (Admin hbase = cluster.connection().getAdmin();
        Table rows = cluster.connection().getTable(TRACKED)) {
      hbase.createTable(tracked(Map.of(TRACKER + "impl", "FILE")));
      for (int i = 0; i < TRACKED_ROWS; i++) {
        rows.put(new Put(Bytes.toBytes(i)).addColumn(F, F, Bytes.toBytes(i)));
      }
      hbase.flushRegion(hbase.getRegions(TRACKED).get(0).getRegionName());
      Map<String, String> between =
          Map.of(
              TRACKER + "impl",
              "MIGRATION",
              TRACKER + "migration.src.impl",
              "FILE",
              TRACKER + "migration.dst.impl",
              "DEFAULT");
      hbase.modifyTable(tracked(between));
      hbase.modifyTable(tracked(Map.of(TRACKER + "impl", "DEFAULT")));
    }
  }

  private static TableDescriptor tracked(Map<String, String> values) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TRACKED)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    values.forEach(table::setValue);
    return table.build();
  }

  private int rowsOfTracked() throws IOException {
    try (Table tracked = cluster.connection().getTable(TRACKED);
        ResultScanner rows = tracked.getScanner(new Scan())) {
      return rows.next(TRACKED_ROWS + 1).length;
    }
  }

  private static IndexDefinition.Builder index(String name, IndexKind kind) {
    return IndexDefinition.builder(name).kind(kind).column("f:day").type(ValueType.LONG);
  }

  private static IndexDefinition local(String name, Layout layout) {
    return index(name, IndexKind.LOCAL).layout(layout).build();
  }

  private static IndexDefinition synchronous() {
    return index("synchronous", IndexKind.GLOBAL).maintenance(Maintenance.SYNC).build();
  }

  /** Flushes, and waits until there is nothing that any index or view waits for. */
  private void awaitQuiet() throws IOException {
    try (Admin hbase = cluster.connection().getAdmin()) {
      // A flush of a table is a procedure of newer masters, which servers of 2.5 never end.
      for (RegionInfo region : hbase.getRegions(TABLE)) {
        hbase.flushRegion(region.getRegionName());
      }
    }
    admin.waitUntilActive(TABLE, LONG);
    await("views")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(admin.viewStatus(TABLE))
                    .hasSize(REGIONS)
                    .allMatch(v -> !v.isPending() && v.inView() > 1));
  }

  /** What global indexes note of rows that are built, and what views are of. */
  private List<String> built() throws IOException {
    List<String> built = new ArrayList<>();
    for (String index : List.of("name", "synchronous")) {
      List<Cell> cells = new ArrayList<>();
      try (Table notes =
              cluster.connection().getTable(TableName.valueOf("_spyhop.upgrade." + index));
          ResultScanner rows = notes.getScanner(ControlRows.scan())) {
        for (Result r : rows) {
          cells.addAll(r.listCells());
        }
      }
      for (ControlNotes.Built b : ControlRows.notes(cells).built()) {
        built.add(index + " " + b);
      }
    }
    for (ViewStatus v : admin.viewStatus(TABLE)) {
      built.add("view of " + v.region() + ": " + v.inView() + " HFiles, " + v.cells() + " cells");
    }
    return built;
  }

  /** Moves all regions of the table from one server to another, as before a restart in order. */
  private void move(int from, int to) throws IOException {
    ServerName target = cluster.name(to);
    try (Admin hbase = cluster.connection().getAdmin()) {
      for (RegionInfo region : hbase.getRegions(cluster.name(from))) {
        if (region.getTable().equals(TABLE)) {
          hbase.move(region.getEncodedNameAsBytes(), target);
        }
      }
      await("the moves")
          .atMost(LONG)
          .until(
              () ->
                  hbase.getRegions(target).stream()
                          .filter(r -> r.getTable().equals(TABLE))
                          .collect(Collectors.toSet())
                          .size()
                      == REGIONS);
    }
    admin.waitUntilActive(TABLE, LONG);
  }
}
