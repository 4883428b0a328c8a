package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of global indexes are looked up where something has changed, and at no other time. */
class KeptIndexesTest {
  private static final IndexSchema ONE = IndexSchema.of(List.of(global("price")));
  private static final IndexSchema TWO =
      IndexSchema.of(List.of(ONE.indexes().get(0), global("name")));

  private final List<TableName> lookedUp = new CopyOnWriteArrayList<>();
  private IndexedTableFixture table;
  private KeptIndexes kept;
  private boolean away;
  private volatile CountDownLatch hangs;

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
    kept =
        new KeptIndexes(
            table.region(), null, this::lookUp, () -> {}, new Complaints(System::nanoTime));
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  private TableDescriptor lookUp(TableName name) throws IOException {
    lookedUp.add(name);
    CountDownLatch until = hangs;
    if (until != null) {
      try {
        until.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
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
  void nothingIsWrittenBeforeTheFirstTablesAreFound() throws IOException {
    away = true;
    kept.schema(ONE);
    assertThatThrownBy(kept::current)
        .isInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("the NameNode is away");
    assertThat(lookedUp).hasSize(1);
    away = false;
    assertThat(kept.settle()).hasSize(1);
    assertThat(kept.current()).hasSize(1);
  }

  @Test
  void writesGoOnWhileTablesOfNewDefinitionsCannotBeFound() throws IOException {
    kept.schema(ONE);
    away = true;
    kept.schema(TWO);
    assertThat(kept.current()).hasSize(1);
    assertThat(kept.possible()).hasSize(2);
    assertThatThrownBy(kept::settle).hasMessageContaining("the NameNode is away");
    away = false;
    assertThat(kept.settle()).hasSize(2);
    assertThat(kept.current())
        .extracting(i -> i.definition().name(), GlobalIndex::isFromStart)
        .containsExactlyInAnyOrder(tuple("price", true), tuple("name", false));
  }

  @Test
  void writesGoOnWhileTablesAreBeingLookedUp() throws Exception {
    kept.schema(ONE);
    hangs = new CountDownLatch(1);
    Thread told = new Thread(() -> kept.schema(TWO));
    told.start();
    Awaitility.await().until(() -> lookedUp.size() > 1);
    assertThat(kept.current()).hasSize(1);
    hangs.countDown();
    told.join();
    assertThat(kept.current()).hasSize(2);
  }

  @Test
  void theyAreLookedUpAgainWhenAWriteHasFailed() throws IOException {
    kept.opened(() -> kept.schema(ONE));
    kept.schema(ONE);
    kept.readDoubted();
    assertThat(lookedUp).hasSize(1);
    kept.doubt();
    kept.readDoubted();
    kept.readDoubted();
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
