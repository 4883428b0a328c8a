package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.example.LateObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An observer that changes writes when they have got their entries: the index is not believed while
 * it is there, and is built again when it is gone.
 */
class LateObserverTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @ParameterizedTest
  @ValueSource(
      classes = {
        LateObserver.OfBatches.class,
        LateObserver.OfIncrements.class,
        LateObserver.OfAppends.class
      })
  void theIndexIsNotBelievedBesideOne(Class<?> observer) throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("z", 7));
      TableDescriptor plain = CLUSTER.admin().getDescriptor(t.name());
      CLUSTER
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(plain)
                  .setCoprocessor(
                      CoprocessorDescriptorBuilder.newBuilder(observer.getName())
                          .setPriority(Coprocessor.PRIORITY_LOWEST)
                          .build())
                  .build());
      awaitComplaint(t, observer);
      write(t);
      assertThat(t.entries()).isNotEqualTo(t.expected()).hasSizeGreaterThan(1);
      assertThat(t.built().isComplete()).isFalse();
      CLUSTER.admin().modifyTable(plain);
      awaitBelieved(t);
    }
  }

  /** HBase loads the coprocessors of open regions again when a server's settings have changed. */
  @Test
  void oneThatIsLoadedIntoAnOpenRegionIsSeenBeforeTheNextWrite() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("z", 7));
      HRegion region = CLUSTER.regions(t.name()).get(0);
      String key = CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY;
      String before = region.getReadOnlyConfiguration().get(key);
      load(region, before + "," + LateObserver.OfBatches.class.getName() + "|" + Integer.MAX_VALUE);
      write(t);
      assertThat(t.entries()).isNotEqualTo(t.expected()).hasSizeGreaterThan(1);
      assertThat(t.built().isComplete()).isFalse();
      awaitComplaint(t, LateObserver.OfBatches.class);
      load(region, before + "," + LateObserver.OfNothing.class.getName());
      awaitBelieved(t);
    }
  }

  private static void load(HRegion region, String classes) {
    Configuration conf = new Configuration(region.getReadOnlyConfiguration());
    conf.set(CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, classes);
    region.onConfigurationChange(conf);
  }

  private static void write(GlobalFixture t) throws Exception {
    t.write(put("a", 1));
    t.table().increment(new Increment(Bytes.toBytes("b")).addColumn(F, V, 2));
    t.table().append(new Append(Bytes.toBytes("c")).addColumn(F, V, Bytes.toBytes(3L)));
  }

  private static void awaitComplaint(GlobalFixture t, Class<?> observer) {
    await("a status that names the observer")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(status(t).errors())
                    .anySatisfy(e -> assertThat(e).contains(observer.getName())));
  }

  private static void awaitBelieved(GlobalFixture t) {
    await("the index to be built")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(t.built().isComplete()).isTrue();
              assertThat(t.entries()).containsAll(t.expected());
              assertThat(status(t).errors()).isEmpty();
            });
  }

  private static IndexStatus.Global status(GlobalFixture t) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      return (IndexStatus.Global) spyhop.admin().status(t.name()).get(0);
    }
  }
}
