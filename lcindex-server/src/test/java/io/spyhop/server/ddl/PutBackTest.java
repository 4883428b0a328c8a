package io.spyhop.server.ddl;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A superuser takes the definition of a global index out of the descriptor and puts it back: what
 * was written in between is found.
 */
class PutBackTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private GlobalFixture table;
  private Spyhop spyhop;
  private TableDescriptor with;

  @BeforeEach
  void create() throws IOException {
    table = new GlobalFixture();
    spyhop = Spyhop.connect(CLUSTER.connection());
    table.write(put("a", 1));
    table.awaitBuilt();
    with = CLUSTER.admin().getDescriptor(table.name());
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    table.close();
  }

  private void alter(TableDescriptor changed, boolean reopen) throws IOException {
    CLUSTER.admin().modifyTable(changed, reopen);
    CLUSTER.connection().clearRegionLocationCache();
    if (!reopen) {
      Regions.refresh(CLUSTER, table.name());
    }
  }

  /** Takes the index out of the descriptor; a region that stays open goes on without it soon. */
  private void takeOut(boolean reopen) throws IOException {
    alter(without(), reopen);
    if (!reopen) {
      await("the region to go on without the index")
          .atMost(Duration.ofSeconds(30))
          .until(() -> openMarks().isEmpty());
    }
  }

  private TableDescriptor without() throws IOException {
    return IndexSchema.withoutIndex(
        CLUSTER.admin().getDescriptor(table.name()), table.definition().name());
  }

  private List<String> rows(String where) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(table.name()).query(Query.where(where))) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  private ControlNotes notes() throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table index = CLUSTER.connection().getTable(table.indexName());
        ResultScanner found = index.getScanner(ControlRows.scan())) {
      for (Result r : found) {
        cells.addAll(r.listCells());
      }
    }
    return ControlRows.notes(cells);
  }

  private long lastBuilt() throws IOException {
    return notes().built().stream().mapToLong(Built::number).max().orElseThrow();
  }

  private List<OpeningMark> openMarks() throws IOException {
    return notes().marks().stream().filter(OpeningMark::isOpen).toList();
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void whatWasWrittenInBetweenIsFound(boolean goesReopening, boolean comesReopening)
      throws IOException {
    assertThat(rows("v = 1")).containsExactly("a");
    takeOut(goesReopening);
    table.write(put("late", 7));
    assertThat(table.entries()).hasSize(1);
    CLUSTER.admin().modifyTable(with, comesReopening);
    assertThat(rows("v = 7")).containsExactly("late");
    Regions.refresh(CLUSTER, table.name());
    assertThat(rows("v = 7")).containsExactly("late");
    table.awaitBuilt();
    assertThat(rows("v = 7")).containsExactly("late");
    assertThat(table.entries()).isEqualTo(table.expected());
  }

  @Test
  void aRegionThatGoesOnWithoutItTakesItsMarkBack() throws IOException {
    long built = lastBuilt();
    assertThat(openMarks()).hasSize(1);
    takeOut(false);
    alter(with, false);
    table.awaitBuilt();
    assertThat(openMarks()).singleElement().matches(m -> m.since() > built, "since later");
  }

  /** The other index has the region look where it was open before. */
  @Test
  void aRegionThatOpenedWithoutItDoesNotGoByTheOpeningBefore() throws IOException {
    long built = lastBuilt();
    spyhop
        .admin()
        .createIndex(
            table.name(),
            IndexDefinition.builder("w")
                .kind(IndexKind.GLOBAL)
                .column("f:w")
                .type(ValueType.LONG)
                .build());
    with = CLUSTER.admin().getDescriptor(table.name());
    takeOut(true);
    alter(with, false);
    table.awaitBuilt();
    assertThat(openMarks()).singleElement().matches(m -> m.since() > built, "since later");
    spyhop.admin().dropIndex(table.name(), "w");
  }

  @Test
  void itDoesNotComeBackAsAnother() throws IOException {
    TableDescriptor without = without();
    alter(without, false);
    for (IndexDefinition other :
        List.of(
            table.definition().toBuilder().column("f:w").build(),
            table.definition().toBuilder().type(ValueType.DOUBLE).build())) {
      TableDescriptor changed = IndexSchema.withIndex(without, other);
      assertThatThrownBy(() -> CLUSTER.admin().modifyTable(changed, false))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("cannot change its column, type or boundaries");
    }
    alter(with, false);
    table.awaitBuilt();
  }

  @Test
  void itDoesNotComeBackWhileItsTableIsDisabled() throws IOException {
    takeOut(false);
    CLUSTER.admin().disableTable(table.indexName());
    assertThatThrownBy(() -> CLUSTER.admin().modifyTable(with, false))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("could not un-build");
    CLUSTER.admin().enableTable(table.indexName());
    alter(with, false);
    table.awaitBuilt();
  }
}
