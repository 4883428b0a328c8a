package io.spyhop.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/** Of a cluster that cannot be seen the page shows nothing as empty, zero or well. */
class LookTest {
  /** Of the look itself. */
  private static final Set<String> ABOUT =
      Set.of("at", "everyMs", "ageMs", "lookingMs", "seen", "diagnosed", "failures", "history");

  private boolean isGone = true;

  private Object answer(String method) throws IOException {
    if (isGone) {
      throw new IOException("the master does not answer");
    }
    if (method.equals("getClusterMetrics")) {
      return ClusterMetricsBuilder.newBuilder().setHBaseVersion("2.6.1").build();
    }
    throw new IOException("you may not");
  }

  private Connection connection() {
    Admin admin =
        (Admin)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, args) ->
                    method.getName().equals("close") ? null : answer(method.getName()));
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getConfiguration" -> new Configuration(false);
                  case "getAdmin" -> admin;
                  case "close" -> null;
                  case "hashCode" -> 1;
                  case "equals" -> proxy == args[0];
                  default -> answer(method.getName());
                });
  }

  @Test
  void allPartsOfAClusterThatWasNeverSeenAreUnknown() throws Exception {
    Connection connection = connection();
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      Snapshot seen = new Look(connection, spyhop).look(1_000, 5_000, true);
      for (RecordComponent part : Snapshot.class.getRecordComponents()) {
        if (!ABOUT.contains(part.getName())) {
          assertThat(part.getAccessor().invoke(seen)).as(part.getName()).isNull();
        }
      }
      assertThat(seen.diagnosed()).isFalse();
      assertThat(seen.seen()).isEmpty();
      assertThat(seen.failures()).singleElement().asString().contains("master does not answer");
    }
  }

  @Test
  void aPartThatFailsIsUnknownAloneAndWhatWasSeenStays() throws Exception {
    Connection connection = connection();
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      Look look = new Look(connection, spyhop);
      isGone = false;
      Snapshot some = look.look(1_000, 5_000, true);
      assertThat(some.servers()).isEmpty();
      assertThat(some.cluster().deadServers()).isZero();
      assertThat(some.saw("servers")).isTrue();
      assertThat(some.tables()).isNull();
      assertThat(some.jobs()).isNull();
      assertThat(some.slow()).isNull();
      assertThat(some.findings()).isNull();
      isGone = true;
      Snapshot later = look.look(9_000, 5_000, false);
      assertThat(later.cluster()).isEqualTo(some.cluster());
      assertThat(later.saw("cluster")).isFalse();
      assertThat(later.seen()).containsEntry("cluster", 1_000L);
    }
  }
}
