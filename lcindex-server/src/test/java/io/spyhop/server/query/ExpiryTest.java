package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Correctness rule 2: expiry is judged when the query runs, with the settings of then. */
class ExpiryTest {
  private static final Predicate CHEAP = column("price").between(1.0, 10.0);

  @Test
  void timeToLiveChangedUnderExistingFiles() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5, System.currentTimeMillis() - 3_600_000);
      t.price("b", 5);
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).containsExactly("a", "b");
      alterTtl(t, 1800);
      Regions.awaitCovered(TestCluster.get(), t.name());
      assertThat(t.agreed(CHEAP)).containsExactly("b");
    }
  }

  @Test
  void oneOldCellInAYoungRow() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      long old = System.currentTimeMillis() - 3_600_000;
      t.table()
          .put(
              new Put(Bytes.toBytes("a"))
                  .addColumn(
                      IndexedTableFixture.F, IndexedTableFixture.q("price"), Bytes.toBytes(5.0))
                  .addColumn(
                      IndexedTableFixture.F,
                      IndexedTableFixture.q("name"),
                      old,
                      Bytes.toBytes("x")));
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP.and(column("name").eq("x")))).containsExactly("a");
      alterTtl(t, 1800);
      Regions.awaitCovered(TestCluster.get(), t.name());
      assertThat(t.agreed(CHEAP)).containsExactly("a");
      assertThat(t.agreed(CHEAP.and(column("name").eq("x")))).isEmpty();
    }
  }

  @Test
  void timeToLiveOfACell() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("b", 5);
      t.table()
          .put(
              new Put(Bytes.toBytes("a"))
                  .addColumn(
                      IndexedTableFixture.F, IndexedTableFixture.q("price"), Bytes.toBytes(5.0))
                  .setTTL(1500));
      t.flushAndIndex();
      Awaitility.await("the cell to expire")
          .atMost(Duration.ofSeconds(20))
          .until(() -> t.rows(CHEAP, "scan").size() == 1);
      assertThat(t.agreed(CHEAP)).containsExactly("b");
    }
  }

  private static void alterTtl(IndexedTableFixture t, int seconds) throws IOException {
    Admin admin = TestCluster.get().admin();
    TableDescriptor d = admin.getDescriptor(t.name());
    admin.modifyColumnFamily(
        t.name(),
        ColumnFamilyDescriptorBuilder.newBuilder(d.getColumnFamily(IndexedTableFixture.F))
            .setTimeToLive(seconds)
            .build());
  }
}
