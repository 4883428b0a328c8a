package io.spyhop.server.metrics;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.PresentFiles;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.http.prometheus.PrometheusText;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alarms of {@code conf/prometheus-spyhop.yml} fire when a server is in trouble. */
@Tag(TestCluster.NEEDS_2_6)
class AlarmsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String PREFIX =
      "coprocessor_region_server_cp_io_spyhop_server_hook_spyhop_region_server_spyhop_";

  private static Map<String, Metric> others;
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    others = takeGauges();
    cluster = TestCluster.start(1, conf -> {});
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
    takeGauges();
    giveGauges(others);
  }

  /** All servers of a JVM share their metrics, and the first one's gauges stay. */
  private static Map<String, Metric> takeGauges() {
    Map<String, Metric> taken = new HashMap<>();
    for (MetricRegistry r : registries()) {
      r.getMetrics()
          .forEach(
              (name, metric) -> {
                if (metric instanceof Gauge<?>) {
                  taken.put(name, metric);
                  r.remove(name);
                }
              });
    }
    return taken;
  }

  private static void giveGauges(Map<String, Metric> gauges) {
    registries().forEach(r -> gauges.forEach(r::register));
  }

  private static List<MetricRegistry> registries() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(
            r ->
                r.getMetricRegistryInfo()
                    .getMetricsName()
                    .contains(SpyhopRegionServer.class.getSimpleName()))
        .toList();
  }

  private static ConditionFactory patiently() {
    return await().atMost(PATIENCE);
  }

  /** HBase rebuilds its list now and then, and metrics are then missing. */
  @Test
  void allMetricsThatRulesNameAreExported() throws IOException {
    Set<String> metrics = Alarm.all().stream().map(Alarm::metric).collect(Collectors.toSet());
    patiently()
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> assertThat(Alarm.values(PrometheusText.now()).keySet()).containsAll(metrics));
  }

  private static Map<String, Double> values() {
    return Alarm.values(PrometheusText.of(registries()));
  }

  /** Waits until a metric of this server is greater than it was. */
  private static void awaitGrowth(Map<String, Double> before, String metric) {
    String name = PREFIX + metric;
    patiently().until(() -> values().get(name) > before.get(name));
  }

  private static void awaitFiring(Map<String, Double> before, String... names) {
    patiently().untilAsserted(() -> assertThat(firing(before)).contains(names));
  }

  private static Set<String> firing(Map<String, Double> before) throws IOException {
    Map<String, Double> now = values();
    Set<String> firing = new TreeSet<>();
    for (Alarm alarm : Alarm.all()) {
      if (alarm.fires(before, now)) {
        firing.add(alarm.name());
      }
    }
    return firing;
  }

  private static Path files(HRegion region) {
    Path root = Path.of(URI.create(cluster.util().getConfiguration().get("spyhop.ifile.dir")));
    ServerName server = cluster.serverOf(region);
    return root.resolve(server.getHostname() + "," + server.getPort())
        .resolve(region.getRegionInfo().getEncodedName());
  }

  @Test
  void indexFilesThatCannotBeWrittenOrAreDamaged() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      Map<String, Double> before = values();
      Path inTheWay = files(t.region());
      Files.createFile(inTheWay);
      t.price("a", 5);
      Regions.flush(cluster, t.name());
      awaitFiring(before, "SpyhopIndexJobsFail", "SpyhopIndexLag");
      assertThat(firing(before)).doesNotContain("SpyhopIndexFilesDamaged");
      Files.delete(inTheWay);
      Regions.awaitCovered(cluster, t.name());
      for (Path file : PresentFiles.below(inTheWay)) {
        if (file.toString().endsWith(".ifile")) {
          Files.write(file, new byte[(int) Files.size(file)]);
        }
      }
      t.rows(column("price").lt(10), "price");
      awaitFiring(before, "SpyhopIndexFilesDamaged");
      awaitGrowth(before, "query_micros_num_ops");
    }
  }

  @Test
  void anIndexTableThatIsAway() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      awaitNoneBuilding();
      Map<String, Double> before = values();
      cluster.admin().disableTable(t.indexName());
      HRegion region = cluster.regions(t.name()).get(0);
      assertThatThrownBy(() -> region.put(put("a", 1))).hasMessageContaining("nothing was written");
      awaitFiring(before, "SpyhopEntryWritesFail");
      assertThat(firing(before)).doesNotContain("SpyhopIndexBuilding");
      cluster.admin().unassign(region.getRegionInfo().getRegionName(), false);
      cluster.admin().assign(region.getRegionInfo().getRegionName());
      awaitFiring(before, "SpyhopIndexBuilding");
      cluster.admin().enableTable(t.indexName());
      t.awaitBuilt();
      awaitNoneBuilding();
    }
  }

  /** A region reads what is noted once more before it takes an index for built. */
  private static void awaitNoneBuilding() {
    patiently().until(() -> !firing(values()).contains("SpyhopIndexBuilding"));
  }

  @Test
  void aDirectoryThatIsRefused() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      Map<String, Double> before = values();
      MiniHBaseCluster mini = cluster.util().getMiniHBaseCluster();
      Configuration conf = mini.getConfiguration();
      String directory = conf.get("spyhop.ifile.dir");
      Map<String, Metric> first = takeGauges();
      conf.set("spyhop.ifile.dir", "file:///dev/null/files");
      RegionServerThread second = mini.startRegionServerAndWait(PATIENCE.toMillis());
      try {
        conf.set("spyhop.ifile.dir", directory);
        ServerName refused = second.getRegionServer().getServerName();
        byte[] region = t.region().getRegionInfo().getEncodedNameAsBytes();
        await("the master to give regions to the new server")
            .atMost(PATIENCE)
            .until(
                () -> {
                  cluster.admin().move(region, refused);
                  return !second.getRegionServer().getRegions(t.name()).isEmpty();
                });
        awaitFiring(before, "SpyhopDirectoryUnusable", "SpyhopComparisonsFail");
      } finally {
        mini.stopRegionServer(second.getRegionServer().getServerName());
        second.join(PATIENCE.toMillis());
        takeGauges();
        giveGauges(first);
      }
    }
  }

  /** The grace period holds back what the flush finds. */
  @Test
  void repairsThatLagBehind() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      Map<String, Double> before = values();
      t.write(put("a", 1));
      t.write(put("a", 2));
      Regions.flush(cluster, t.name());
      awaitGrowth(before, "repair_lag_seconds");
      awaitGrowth(before, "entry_write_micros_num_ops");
    }
  }
}
