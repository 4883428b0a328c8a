package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ServiceException;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.junit.jupiter.api.Test;

/** A cluster whose servers are all gone, of which the master does not know yet. */
class DiagnosisTest {
  private final FakeCluster cluster = new FakeCluster();

  private static CoprocessorRpcChannel gone() {
    return (CoprocessorRpcChannel)
        Proxy.newProxyInstance(
            DiagnosisTest.class.getClassLoader(),
            new Class<?>[] {CoprocessorRpcChannel.class},
            (proxy, method, arguments) -> {
              ServiceException e = new ServiceException("the call failed");
              e.initCause(new ConnectException("io.netty.channel.AnnotatedConnectException: no"));
              throw e;
            });
  }

  private void loseServers() {
    cluster.descriptor =
        TableDescriptorBuilder.newBuilder(
                IndexSchema.withIndex(
                    cluster.descriptor,
                    IndexDefinition.builder("price")
                        .column("d:price")
                        .type(ValueType.LONG)
                        .build()))
            .setValue("hbase.store.file-tracker.impl", "FILE")
            .build();
    cluster.adminMethods =
        Map.of(
            "getMaster", (p, m, a) -> ServerName.valueOf("master", 16000, 1),
            "getRegionServers", (p, m, a) -> List.of(FakeCluster.SERVER),
            "getClusterMetrics",
                (p, m, a) -> ClusterMetricsBuilder.newBuilder().setHBaseVersion("2.5.12").build(),
            "coprocessorService", (p, m, a) -> gone(),
            "listTableDescriptors", (p, m, a) -> List.of(cluster.descriptor));
  }

  /** Of a region that moves nothing is found. */
  @Test
  void whatIsGoneAtTheSecondLookIsNotFound() throws IOException {
    loseServers();
    Map<String, InvocationHandler> methods = new HashMap<>(cluster.adminMethods);
    AtomicInteger looks = new AtomicInteger();
    methods.put("isTableDisabled", (p, m, a) -> looks.incrementAndGet() > 1);
    cluster.adminMethods = methods;
    List<Duration> slept = new ArrayList<>();
    Poll poll = new Poll(() -> slept.size() * 1_000_000_000L, slept::add);
    Diagnosis diagnosis = new IndexAdmin(cluster.connection(), poll, t -> {}).diagnose();
    assertThat(diagnosis.findings())
        .extracting(f -> f.where().split(" ", 2)[0])
        .containsExactly("master", "region");
    assertThat(slept).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void regionsOnServersThatAreGoneAreNotAsked() throws IOException {
    loseServers();
    Diagnosis diagnosis;
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      diagnosis = spyhop.admin().diagnose();
    }
    assertThat(diagnosis.servers()).isEmpty();
    assertThat(diagnosis.indexes()).isOne();
    assertThat(diagnosis.findings())
        .extracting(f -> f.where() + ": " + f.what())
        .satisfiesExactly(
            f ->
                assertThat(f)
                    .isEqualTo("master master,16000,1: does not answer: nothing listens there"),
            f ->
                assertThat(f)
                    .isEqualTo(
                        "region server host,16020,1: does not answer: nothing listens there"),
            f ->
                assertThat(f)
                    .matches(
                        "table orders: (\\d+) of \\1 regions of it and its index tables are on no .*"));
    assertThat(cluster.gets).isEmpty();
    assertThat(diagnosis.notes())
        .satisfiesExactly(
            n -> {
              assertThat(n.where()).isEqualTo("master master,16000,1");
              assertThat(n.what()).startsWith("HBase 2.5.12 has no /prometheus");
            },
            n -> {
              assertThat(n.where()).isEqualTo("table orders");
              assertThat(n.what()).startsWith("its store file tracker is FILE");
            });
  }
}
