package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of global indexes are looked up where something has changed, and at no other time. */
class KeptIndexesTest {
  private static final IndexSchema ONE = IndexSchema.of(List.of(global("price")));
  private static final IndexSchema TWO =
      IndexSchema.of(List.of(ONE.indexes().get(0), global("name")));

  private final List<TableName> lookedUp = new ArrayList<>();
  private IndexedTableFixture table;
  private KeptIndexes kept;
  private boolean away;

  private static IndexDefinition global(String column) {
    return IndexDefinition.builder(column)
        .kind(IndexKind.GLOBAL)
        .column("f:" + column)
        .type(ValueType.STRING)
        .build();
  }

  @BeforeEach
  void open() throws IOException {
    table = new IndexedTableFixture();
    kept = new KeptIndexes(table.region(), null, this::lookUp, () -> {});
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  private TableDescriptor lookUp(TableName name) throws IOException {
    lookedUp.add(name);
    if (away) {
      throw new IOException("the NameNode is away");
    }
    TableDescriptor base = table.region().getTableDescriptor();
    for (IndexDefinition index : TWO.indexes()) {
      if (name.equals(IndexTable.nameOf(table.name(), index.name()))) {
        return IndexTable.descriptor(base, index);
      }
    }
    return null;
  }

  @Test
  void theSameDefinitionsAgainCostNothing() throws IOException {
    kept.schema(ONE);
    assertThat(lookedUp).hasSize(1);
    away = true;
    for (int i = 0; i < 100; i++) {
      kept.schema(ONE);
      assertThat(kept.current()).hasSize(1);
    }
    assertThat(lookedUp).hasSize(1);
  }

  @Test
  void newDefinitionsHoldWritesUpUntilTheirTablesAreFound() throws IOException {
    kept.schema(ONE);
    away = true;
    kept.schema(TWO);
    assertThatThrownBy(kept::current)
        .isInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("the NameNode is away");
    away = false;
    assertThat(kept.current()).hasSize(2);
  }

  @Test
  void theyAreLookedUpAgainWhenAWriteHasFailed() throws IOException {
    kept.opened(() -> kept.schema(ONE));
    kept.schema(ONE);
    assertThat(kept.readAgain()).hasSize(1);
    assertThat(lookedUp).hasSize(2);
  }

  @Test
  void anIndexWithoutATableIsLookedForAgain() throws IOException {
    IndexSchema lost = IndexSchema.of(List.of(global("lost")));
    kept.schema(lost);
    kept.schema(lost);
    assertThat(kept.current()).isEmpty();
    assertThat(lookedUp).hasSize(2);
  }
}
