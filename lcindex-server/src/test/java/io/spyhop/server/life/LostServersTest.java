package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.PresentFiles;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/** Indexes that are created and dropped while region servers and the master come and go. */
class LostServersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final IndexDefinition PRICE =
      IndexDefinition.builder("price").column("f:price").type(ValueType.DOUBLE).build();

  private static IndexedTableFixture filled(TestCluster cluster) throws IOException {
    IndexedTableFixture t =
        IndexedTableFixture.with(
            cluster,
            d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F)),
            "r010",
            "r020",
            "r040",
            "r080");
    for (int flush = 0; flush < 4; flush++) {
      Rows.write(t, flush * 10, 100, flush * 0.25);
      t.flushAndIndex();
    }
    Rows.write(t, 0, 100, 0);
    return t;
  }

  private static void agree(IndexedTableFixture t) throws IOException {
    assertThat(Rows.agree(t)).hasSize(20);
  }

  private static void replaceServer(MiniHBaseCluster cluster, ServerName lost) throws IOException {
    cluster.killRegionServer(lost);
    cluster.startRegionServer();
  }

  private static void replaceMaster(MiniHBaseCluster cluster) throws IOException {
    ServerName master = cluster.getMaster().getServerName();
    cluster.stopMaster(master);
    cluster.waitForMasterToStop(master, PATIENCE.toMillis());
    cluster.startMaster();
  }

  private static void awaitOpen(TestCluster cluster, IndexedTableFixture t) {
    await("all regions to be open on living servers")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                cluster.admin().isTableAvailable(t.name())
                    && cluster
                        .admin()
                        .getRegionServers()
                        .containsAll(locations(cluster, t).values()));
  }

  /** The server of each region; servers that were killed still believe to have regions. */
  private static Map<RegionInfo, ServerName> locations(TestCluster cluster, IndexedTableFixture t)
      throws IOException {
    Map<RegionInfo, ServerName> locations = new TreeMap<>();
    try (RegionLocator locator = cluster.connection().getRegionLocator(t.name())) {
      locator.clearRegionLocationCache();
      for (HRegionLocation l : locator.getAllRegionLocations()) {
        locations.put(l.getRegion(), l.getServerName());
      }
    }
    return locations;
  }

  private static ServerName serverOfFirst(TestCluster cluster, IndexedTableFixture t)
      throws IOException {
    return locations(cluster, t).values().iterator().next();
  }

  @Test
  void createdAndDropped() throws Exception {
    try (TestCluster cluster =
            TestCluster.start(
                3,
                conf -> {
                  conf.setLong("spyhop.sweep.ms", 200);
                  conf.setLong("spyhop.sweep.absent.ms", 2_000);
                });
        IndexedTableFixture t = filled(cluster);
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      MiniHBaseCluster servers = cluster.util().getMiniHBaseCluster();
      agree(t);
      deleteFiles(cluster, t);
      agree(t);
      ServerName lost = serverOfFirst(cluster, t);
      spyhop.admin().dropIndex(t.name(), "price");
      replaceServer(servers, lost);
      agree(t);
      awaitOpen(cluster, t);
      awaitNoFiles(cluster, ".price.");
      agree(t);

      spyhop.admin().createIndex(t.name(), PRICE);
      ServerName second = serverOfFirst(cluster, t);
      replaceServer(servers, second);
      agree(t);
      replaceMaster(servers);
      agree(t);
      awaitOpen(cluster, t);
      spyhop.admin().waitUntilActive(t.name(), PATIENCE);
      agree(t);

      moveAll(cluster, t);
      spyhop.admin().dropIndex(t.name(), "price");
      replaceMaster(servers);
      agree(t);
      awaitNoFiles(cluster, ".price.");
      Regions.awaitCovered(cluster, t.name());
      agree(t);
    }
  }

  /** They are built again, although nobody asks for them. */
  private static void deleteFiles(TestCluster cluster, IndexedTableFixture t) throws IOException {
    HRegion region = cluster.regions(t.name()).get(0);
    List<Path> files = IndexFiles.of(cluster, region, ".ifile");
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      Files.delete(file);
    }
    await("the files to be built again")
        .atMost(PATIENCE)
        .until(() -> IndexFiles.of(cluster, region, ".ifile").size() == files.size());
  }

  private static void moveAll(TestCluster cluster, IndexedTableFixture t) throws IOException {
    for (Map.Entry<RegionInfo, ServerName> e : locations(cluster, t).entrySet()) {
      ServerName to =
          cluster.admin().getRegionServers().stream()
              .filter(s -> !s.equals(e.getValue()))
              .findFirst()
              .orElseThrow();
      cluster.admin().move(e.getKey().getEncodedNameAsBytes(), to);
    }
    awaitOpen(cluster, t);
    Regions.awaitCovered(cluster, t.name());
  }

  /** No living server has files with that in their names, wherever the regions were before. */
  private static void awaitNoFiles(TestCluster cluster, String part) {
    await("files with " + part + " to go from all servers")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              List<Path> found = new ArrayList<>();
              for (ServerName s : cluster.admin().getRegionServers()) {
                PresentFiles.below(IndexFiles.directory(cluster, s)).stream()
                    .filter(f -> f.toString().contains(part))
                    .forEach(found::add);
              }
              assertThat(found).isEmpty();
            });
  }
}
