package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Tables that nobody may write to keep their indexes, get new ones, and lose them. */
class ReadOnlyTableTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final IndexDefinition BY_NAME =
      IndexDefinition.builder("byname")
          .column("f:name")
          .type(ValueType.STRING)
          .kind(IndexKind.GLOBAL)
          .build();

  private final TestCluster cluster = TestCluster.get();

  private void setReadOnly(IndexedTableFixture t, boolean readOnly) throws IOException {
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(t.name()))
                .setReadOnly(readOnly)
                .build());
  }

  private static List<String> named(Spyhop spyhop, IndexedTableFixture t, String hint)
      throws IOException {
    try (RowCursor rows = spyhop.table(t.name()).query(Query.where("name = 'n3'").hint(hint))) {
      return StreamSupport.stream(rows.spliterator(), false)
          .map(r -> Bytes.toString(r.getRow()))
          .toList();
    }
  }

  @Test
  void indexesComeAndGo() throws Exception {
    try (IndexedTableFixture t =
            IndexedTableFixture.with(
                cluster,
                d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F)),
                "r040");
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      Rows.write(t, 0, 80, 0);
      t.flushAndIndex();
      Rows.write(t, 40, 60, 0.5);
      setReadOnly(t, true);
      assertThatThrownBy(() -> t.price("r000", 7)).hasMessageContaining("read only");
      List<String> before = Rows.agree(t);

      spyhop.admin().createIndex(t.name(), BY_NAME);
      spyhop.admin().waitUntilActive(t.name(), PATIENCE);
      assertThat(Rows.agree(t)).isEqualTo(before);
      assertThat(named(spyhop, t, "byname")).isEqualTo(named(spyhop, t, "scan")).isNotEmpty();
      assertThat(spyhop.admin().verify(t.name(), "byname", false).isClean()).isTrue();

      setReadOnly(t, false);
      Rows.write(t, 60, 100, 0.25);
      setReadOnly(t, true);
      Rows.agree(t);
      assertThat(named(spyhop, t, "byname")).isEqualTo(named(spyhop, t, "scan"));
      spyhop.admin().dropIndex(t.name(), "byname");
      Rows.agree(t);
    }
  }
}
