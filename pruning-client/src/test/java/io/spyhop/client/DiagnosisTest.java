package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ServiceException;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.junit.jupiter.api.Test;

/** A cluster whose servers are all gone, of which the master does not know yet. */
class DiagnosisTest {
  private static final ServerName OTHER = ServerName.valueOf("other", 16020, 1);

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

  /** A server of the version, and one of 2.6. */
  private static ClusterMetrics running(String version) {
    Map<ServerName, ServerMetrics> live =
        Map.of(
            FakeCluster.SERVER,
            server(FakeCluster.SERVER, version),
            OTHER,
            server(OTHER, "2.6.1-hadoop3"));
    return ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(live).build();
  }

  private static ServerMetrics server(ServerName name, String version) {
    return ServerMetricsBuilder.newBuilder(name).setVersion(version).build();
  }

  @Test
  void regionsOnServersThatAreGoneAreNotAsked() throws IOException {
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
            "getClusterMetrics", (p, m, a) -> running("2.5.12-hadoop3"),
            "coprocessorService", (p, m, a) -> gone(),
            "listTableDescriptors", (p, m, a) -> List.of(cluster.descriptor));
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
              assertThat(n.where()).isEqualTo("1 of 2 region servers");
              assertThat(n.what()).startsWith("HBase 2.5.12-hadoop3 has no /prometheus");
            },
            n -> {
              assertThat(n.where()).isEqualTo("table orders");
              assertThat(n.what()).startsWith("its store file tracker is FILE");
            });
  }
}
