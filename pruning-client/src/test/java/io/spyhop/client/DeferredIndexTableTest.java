package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.internal.admin.VirtualTime;
import io.spyhop.client.internal.exec.BackgroundExecutor;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.client.internal.query.KnownTables;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeferredIndexTableTest {
  private static final byte[] ROW = Bytes.toBytes("r");

  private final FakeCluster cluster = new FakeCluster();
  private final VirtualTime time = new VirtualTime();
  private final ScanPool pool = ScanPool.forThisMachine(new Configuration(false));
  private final BackgroundExecutor beside = new BackgroundExecutor();
  private final DeferredIndexTable table =
      new DeferredIndexTable(
          FakeCluster.TABLE,
          "best",
          cluster.connection(),
          new Repairs(new IndexCalls(cluster.connection(), FakeCluster.TABLE), pool),
          new KnownTables(cluster.connection(), beside, time::nanos).handle(FakeCluster.TABLE));

  @AfterEach
  void close() {
    pool.close();
    beside.close();
  }

  private void declare(String column) {
    cluster.descriptor =
        IndexSchema.withIndex(
            cluster.descriptor,
            IndexDefinition.builder("best")
                .kind(IndexKind.GLOBAL)
                .column(column)
                .type(ValueType.LONG)
                .build());
  }

  @Test
  void theColumnIsThatOfTheIndexAsItIsDeclaredNow() throws IOException {
    declare("d:old");
    table.delete(ROW, 7);
    table.readKey(ROW, 7, 1);
    cluster.descriptor = IndexSchema.withoutIndex(cluster.descriptor, "best");
    declare("d:new");
    time.pass(Duration.ofSeconds(3));
    table.delete(ROW, 8);
    time.pass(Duration.ofSeconds(3));
    cluster.descriptor = IndexSchema.withoutIndex(cluster.descriptor, "best");
    declare("d:newest");
    table.readKey(ROW, 8, 1);
    assertThat(cluster.deletes)
        .extracting(d -> d.has(Bytes.toBytes("d"), Bytes.toBytes("old")))
        .containsExactly(true, false);
    assertThat(cluster.rowGets)
        .extracting(g -> Bytes.toString(g.getFamilyMap().get(Bytes.toBytes("d")).first()))
        .containsExactly("old", "newest");
  }
}
