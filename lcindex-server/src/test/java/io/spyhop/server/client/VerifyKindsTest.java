package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Indexes as regions keep them pass their verification. */
class VerifyKindsTest {
  @Test
  void localIndexesAndStatistics() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(f -> f.setMaxVersions(2));
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      for (int i = 0; i < 40; i++) {
        t.price("r" + i, i % 7);
        t.put("r" + i, "other", Bytes.toBytes((long) i));
      }
      t.flushAndIndex();
      for (int i = 0; i < 40; i += 3) {
        t.price("r" + i, 100 + i);
      }
      t.table().delete(new Delete(Bytes.toBytes("r5")));
      t.put("r6", "price", Bytes.toBytes("no double"));
      t.flushAndIndex();
      t.price("r7", 7);
      spyhop
          .admin()
          .createIndex(
              t.name(),
              IndexDefinition.builder("other")
                  .kind(IndexKind.STATS)
                  .column("f:other")
                  .type(ValueType.LONG)
                  .build());
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));

      VerifyReport local = spyhop.admin().verify(t.name(), "price", false);
      assertThat(local.result()).as(local.toString()).isEqualTo(VerifyReport.Result.CLEAN);
      assertThat(local.cells()).as("rows with a price").isEqualTo(38);
      assertThat(local.entries()).isEqualTo(38);

      VerifyReport statistics = spyhop.admin().verify(t.name(), "other", false);
      assertThat(statistics.result())
          .as(statistics.toString())
          .isEqualTo(VerifyReport.Result.CLEAN);
      assertThat(statistics.cells()).isEqualTo(40);
    }
  }
}
