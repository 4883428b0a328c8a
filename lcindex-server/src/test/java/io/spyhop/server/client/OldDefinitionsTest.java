package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that remembers definitions that others have changed since. */
class OldDefinitionsTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final TableName NAME = TableName.valueOf("old-definitions");
  private static final byte[] F = Bytes.toBytes("f");

  private Spyhop spyhop;
  private Spyhop others;
  private IndexedTable table;
  private Table plain;

  @BeforeEach
  void create() throws IOException {
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            new byte[][] {Bytes.toBytes("m")});
    spyhop = Spyhop.connect(CLUSTER.connection());
    others = Spyhop.connect(CLUSTER.connection());
    table = spyhop.table(NAME);
    plain = CLUSTER.connection().getTable(NAME);
    put("int", Bytes.toBytes(5));
    put("long", Bytes.toBytes(5L));
  }

  @AfterEach
  void delete() throws IOException {
    spyhop.close();
    others.close();
    plain.close();
    CLUSTER.admin().disableTable(NAME);
    CLUSTER.admin().deleteTable(NAME);
  }

  private void put(String row, byte[] value) throws IOException {
    plain.put(new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes("n"), value));
  }

  private void declare(IndexKind kind, ValueType type) throws IOException {
    others
        .admin()
        .createIndex(
            NAME, IndexDefinition.builder("n").kind(kind).column("f:n").type(type).build());
    others.admin().waitUntilActive(NAME, Duration.ofSeconds(60));
  }

  private List<String> rows(String where) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(Query.where(where))) {
      for (Result row : cursor) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void anIndexIsMadeAnewWithAnotherType(IndexKind kind) throws IOException {
    declare(kind, ValueType.INT);
    assertThat(rows("n = 5")).containsExactly("int");
    others.admin().dropIndex(NAME, "n");
    declare(kind, ValueType.LONG);
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(rows("n = 5")).as("as the table says now").containsExactly("long");
    } finally {
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .as("no stack trace by HBase's client")
        .doesNotContain("\tat ", "Caused by");
    assertThat(rows("n BETWEEN 4 AND 6")).containsExactly("long");
    assertThat(rows("CAST(n AS INT) = 5")).containsExactly("int");
  }

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void anIndexIsDropped(IndexKind kind) throws IOException {
    declare(kind, ValueType.INT);
    assertThat(rows("n = 5")).containsExactly("int");
    others.admin().dropIndex(NAME, "n");
    put("later", Bytes.toBytes(5));
    assertThat(rows("n = 5")).as("by the type that it had").containsExactly("int", "later");
  }

  @Test
  void rowsThatAGlobalIndexFindsAreJudgedByTheTypesOfNow() throws IOException {
    for (String row : List.of("int", "long")) {
      plain.put(new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes("k"), Bytes.toBytes(1L)));
    }
    declare(IndexKind.LOCAL, ValueType.INT);
    IndexDefinition k =
        IndexDefinition.builder("k")
            .kind(IndexKind.GLOBAL)
            .column("f:k")
            .type(ValueType.LONG)
            .build();
    others.admin().createIndex(NAME, k);
    others.admin().waitUntilActive(NAME, Duration.ofSeconds(60));
    assertThat(rows("k = 1 AND n = 5")).containsExactly("int");
    others.admin().dropIndex(NAME, "n");
    declare(IndexKind.LOCAL, ValueType.LONG);
    assertThat(rows("k = 1 AND n = 5")).containsExactly("long");
  }

  @Test
  void anIndexIsAdded() throws IOException {
    declare(IndexKind.LOCAL, ValueType.INT);
    assertThat(rows("n = 5")).containsExactly("int");
    others
        .admin()
        .createIndex(NAME, IndexDefinition.builder("o").column("f:o").type(ValueType.LONG).build());
    plain.put(new Put(Bytes.toBytes("other")).addColumn(F, Bytes.toBytes("o"), Bytes.toBytes(7L)));
    assertThat(rows("o = 7")).containsExactly("other");
  }

  @Test
  void readsAndWritesByValue() throws IOException {
    put("more", Bytes.toBytes(6));
    declare(IndexKind.GLOBAL, ValueType.INT);
    DeferredIndexTable values = spyhop.deferred(NAME, "n");
    assertThat(values.readValue(5, Long.MAX_VALUE, 1, Paging.first(9)).cells()).hasSize(1);
    byte[] position = values.readRange(null, null, Long.MAX_VALUE, 1, Paging.first(1)).next().get();
    assertThat(values.readRange(null, null, Long.MAX_VALUE, 1, Paging.from(9, position)).cells())
        .hasSize(1);
    others.admin().dropIndex(NAME, "n");
    declare(IndexKind.GLOBAL, ValueType.LONG);
    Paging goOn = Paging.from(9, position);
    assertThatThrownBy(() -> values.readRange(null, null, Long.MAX_VALUE, 1, goOn))
        .as("keys of another type")
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("begin at the first page");
    assertThat(values.readValue(5, Long.MAX_VALUE, 1, Paging.first(9)).cells())
        .singleElement()
        .satisfies(c -> assertThat(c.row()).isEqualTo(Bytes.toBytes("long")));
    others.admin().dropIndex(NAME, "n");
    assertThatThrownBy(() -> values.readValue(5, Long.MAX_VALUE, 1, Paging.first(9)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no global index 'n'");
  }
}
