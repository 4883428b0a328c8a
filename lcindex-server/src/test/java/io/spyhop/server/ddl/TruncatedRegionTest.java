package io.spyhop.server.ddl;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.region.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A region of a base table is emptied: indexes and statistics are as exact as before. */
class TruncatedRegionTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static void create(Spyhop spyhop, GlobalFixture t, String name, IndexKind kind)
      throws IOException {
    spyhop
        .admin()
        .createIndex(
            t.name(),
            IndexDefinition.builder(name).kind(kind).column("f:v").type(ValueType.LONG).build());
  }

  private static void assertFound(Spyhop spyhop, GlobalFixture t, long value, String... rows)
      throws IOException {
    Query query = Query.where("v = " + value);
    for (Query q : List.of(query, query.hint(Attributes.PATH_SCAN))) {
      List<String> found = new ArrayList<>();
      try (RowCursor cursor = spyhop.table(t.name()).query(q)) {
        cursor.forEach(r -> found.add(Bytes.toString(r.getRow())));
      }
      assertThat(found).as("%s", q).containsExactly(rows);
    }
  }

  private static void truncate(GlobalFixture t, int region) throws IOException {
    RegionInfo info = CLUSTER.admin().getRegions(t.name()).get(region);
    CLUSTER.admin().truncateRegion(info.getRegionName());
    CLUSTER.connection().clearRegionLocationCache();
  }

  @Test
  void whatWasInItIsGoneEverywhere() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      create(spyhop, t, "local", IndexKind.LOCAL);
      create(spyhop, t, "statistics", IndexKind.STATS);
      for (int i = 0; i < 3; i++) {
        t.write(put("a" + i, 1), put("x" + i, 1), put("z" + i, 2));
        Regions.flush(CLUSTER, t.name());
      }
      t.write(put("a3", 3), put("x3", 3));
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "x0", "x1", "x2");
      truncate(t, 1);
      assertFound(spyhop, t, 1, "a0", "a1", "a2");
      assertFound(spyhop, t, 2);
      assertFound(spyhop, t, 3, "a3");
      t.write(put("x1", 2), put("y", 5));
      assertFound(spyhop, t, 2, "x1");
      assertFound(spyhop, t, 5, "y");
      truncate(t, 1);
      t.write(put("z0", 1));
      Regions.flush(CLUSTER, t.name());
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "z0");
      assertFound(spyhop, t, 5);
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "z0");
      await("entries without cells to be swept")
          .atMost(Duration.ofSeconds(120))
          .until(
              () -> {
                Globals.drain(CLUSTER);
                return t.entries().equals(t.expected());
              });
    }
  }
}
