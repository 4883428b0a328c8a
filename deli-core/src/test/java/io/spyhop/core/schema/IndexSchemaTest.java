package io.spyhop.core.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.value.ValueType;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexSchemaTest {
  private static final TableDescriptor PLAIN =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("orders"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
          .build();

  private static IndexDefinition.Builder price() {
    return IndexDefinition.builder("totalprice").column("d:totalprice").type(ValueType.DOUBLE);
  }

  @Test
  void survivesTheDescriptor() {
    IndexDefinition d = price().range(0, 600000).flags(50).build();
    TableDescriptor table = IndexSchema.withIndex(PLAIN, d);
    assertThat(IndexSchema.of(table).indexes()).containsExactly(d);
    assertThat(IndexSchema.of(table).unreadable()).isEmpty();
    TableDescriptor without = IndexSchema.withoutIndex(table, "totalprice");
    assertThat(IndexSchema.of(without).indexes()).isEmpty();
    assertThat(without).isEqualTo(PLAIN);
  }

  @Test
  void rowsAreNoIndexAndNoIndexIsNamedLikeThem() {
    IndexDefinition columnar = price().layout(Layout.COLUMNAR).build();
    IndexDefinition clustering =
        IndexDefinition.builder("other")
            .column("e:x")
            .type(ValueType.INT)
            .layout(Layout.CLUSTERING)
            .build();
    byte[] family = columnar.column().family();
    IndexDefinition rows = RowsDefinition.of(family);
    assertThat(RowsDefinition.with(List.of(columnar, clustering)))
        .containsExactly(columnar, clustering, rows);
    assertThat(RowsDefinition.parse(rows.name(), rows.text())).isEqualTo(rows);
    assertThat(RowsDefinition.parse("totalprice", columnar.text())).isEqualTo(columnar);
    for (String other : List.of(columnar.text(), rows.text() + "0", "rows")) {
      assertThatThrownBy(() -> RowsDefinition.parse(rows.name(), other))
          .isInstanceOf(InvalidIndexException.class);
    }
    assertThatThrownBy(() -> IndexDefinition.parse(rows.name(), rows.text()))
        .hasMessageContaining("@rows");
    TableDescriptor byHand =
        TableDescriptorBuilder.newBuilder(PLAIN)
            .setValue(IndexSchema.KEY_PREFIX + rows.name(), rows.text())
            .build();
    assertThat(IndexSchema.of(byHand).indexes()).isEmpty();
    assertThat(IndexSchema.of(byHand).unreadable()).containsOnlyKeys("@rows");
  }

  @Test
  void oddQualifiersSurvive() {
    IndexDefinition d =
        IndexDefinition.builder("odd").column("d:a;b=\\x00%").type(ValueType.BYTES).build();
    assertThat(IndexSchema.of(IndexSchema.withIndex(PLAIN, d)).indexes()).containsExactly(d);
  }

  @Test
  void includedColumnsSurvive() {
    IndexDefinition d =
        IndexDefinition.builder("narrow")
            .column("d:x")
            .type(ValueType.INT)
            .include(List.of(ColumnName.parse("d:a,b;c=%2C"), ColumnName.parse("d:\\x00")))
            .build();
    assertThat(IndexDefinition.parse("narrow", d.text())).isEqualTo(d);
    assertThat(IndexSchema.of(IndexSchema.withIndex(PLAIN, d)).indexes()).containsExactly(d);
    assertThat(d.stores(ColumnName.parse("d:x"))).as("the indexed column").isTrue();
    assertThat(d.stores(ColumnName.parse("d:a,b;c=%2C"))).isTrue();
    assertThat(d.stores(ColumnName.parse("d:y"))).isFalse();
    assertThatThrownBy(
            () ->
                IndexDefinition.builder("narrow")
                    .column("d:x")
                    .type(ValueType.INT)
                    .include(List.of(ColumnName.parse("e:a")))
                    .build())
        .hasMessageContaining("e:a")
        .hasMessageContaining("family");
  }

  /** Versions that do not know of it read definitions that have the default. */
  @Test
  void boundariesSurvive() {
    IndexDefinition.Builder global =
        IndexDefinition.builder("g").kind(IndexKind.GLOBAL).column("d:x").type(ValueType.INT);
    assertThat(global.build().text()).doesNotContain("boundaries");
    IndexDefinition none = global.boundaries(Boundaries.NONE).build();
    assertThat(none.text()).contains(";boundaries=NONE;");
    assertThat(none.toString()).endsWith("boundaries=NONE");
    assertThat(IndexDefinition.parse("g", none.text())).isEqualTo(none);
    assertThat(none.toBuilder().build()).isEqualTo(none);
    assertThat(none.toBuilder().renewed().build().global().boundaries()).isEqualTo(Boundaries.NONE);
    assertThatThrownBy(() -> price().boundaries(Boundaries.NONE).build())
        .hasMessageContaining("only a GLOBAL index")
        .hasMessageContaining("boundaries");
    assertThatThrownBy(() -> IndexDefinition.parse("g", none.text().replace("=NONE", "=NOWHERE")))
        .isInstanceOf(InvalidIndexException.class);
  }

  @Test
  void twoIncarnationsDiffer() {
    assertThat(price().build()).isNotEqualTo(price().build());
  }

  @Test
  void refusals() {
    TableDescriptor table = IndexSchema.withIndex(PLAIN, price().build());
    assertThatThrownBy(() -> IndexSchema.withIndex(table, price().build()))
        .hasMessage("table 'orders' already has an index 'totalprice'");
    assertThatThrownBy(
            () ->
                IndexSchema.withIndex(
                    table, IndexDefinition.builder("x").column("e:x").type(ValueType.INT).build()))
        .hasMessage("table 'orders' has no column family 'e'");
    assertThatThrownBy(
            () ->
                IndexSchema.withIndex(
                    table,
                    IndexDefinition.builder("x")
                        .column("d:totalprice")
                        .type(ValueType.INT)
                        .build()))
        .hasMessageContaining("declares column d:totalprice as DOUBLE, not INT");
    assertThatThrownBy(() -> IndexSchema.withoutIndex(PLAIN, "nope"))
        .hasMessage("table 'orders' has no index 'nope'");
  }

  @Test
  void badDefinitions() {
    assertThatThrownBy(
            () -> IndexDefinition.builder("a b").column("d:x").type(ValueType.INT).build())
        .hasMessageContaining("'a b'");
    assertThatThrownBy(() -> price().range(5, 5).build()).hasMessageContaining("not below");
    assertThatThrownBy(() -> price().range(0, "many").build())
        .hasMessageContaining("max")
        .hasMessageContaining("'many'");
    assertThatThrownBy(() -> price().range(Double.NEGATIVE_INFINITY, 5).build())
        .hasMessageContaining("finite");
    assertThatThrownBy(() -> price().flags(0).build()).hasMessageContaining("flags=0");
    assertThatThrownBy(() -> price().range(0, null).build()).hasMessageContaining("go together");
  }

  @Test
  void unreadableDefinitionHidesNoOther() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(IndexSchema.withIndex(PLAIN, price().build()))
            .setValue("spyhop.index.future", "v=99;kind=LOCAL")
            .build();
    IndexSchema schema = IndexSchema.of(table);
    assertThat(schema.indexes()).hasSize(1);
    assertThat(schema.unreadable()).containsOnlyKeys("future");
    assertThat(schema.unreadable().get("future")).contains("version 99");
  }

  @Test
  void definitionsWrittenByHandAreLookedAtTogether() {
    IndexDefinition elsewhere =
        IndexDefinition.builder("x").column("e:x").type(ValueType.INT).build();
    IndexDefinition other =
        IndexDefinition.builder("x").column("d:totalprice").type(ValueType.INT).build();
    assertThatThrownBy(() -> IndexSchema.requireFitting(byHand(elsewhere)))
        .hasMessage("index 'x': table 'orders' has no column family 'e'");
    assertThatThrownBy(() -> IndexSchema.requireFitting(byHand(other)))
        .hasMessageContaining("declares column d:totalprice as DOUBLE, not INT");
    IndexSchema.requireFitting(IndexSchema.withIndex(PLAIN, price().build()));
  }

  private static TableDescriptor byHand(IndexDefinition index) {
    return TableDescriptorBuilder.newBuilder(IndexSchema.withIndex(PLAIN, price().build()))
        .setValue(IndexSchema.KEY_PREFIX + index.name(), index.text())
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "kind=LOCAL,kind=NEAR,\"kind 'NEAR' is none of [LOCAL, GLOBAL, STATS]\"",
        "flags=100,flags=ten,\"flags 'ten' is no whole number\"",
        "id=1,id=xyz,\"id 'xyz' is no number of at most 16 hexadecimal digits\"",
      })
  void whatIsWrongWithAPartIsSaid(String part, String instead, String message) {
    String text = "v=1;kind=LOCAL;column=d%3Ax;type=INT;flags=100;id=1";
    assertThat(IndexDefinition.parse("x", text).type()).isEqualTo(ValueType.INT);
    assertThatThrownBy(() -> IndexDefinition.parse("x", text.replace(part, instead)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aColumnarLayoutIncludesNothing() {
    IndexDefinition columnar = price().layout(Layout.COLUMNAR).build();
    assertThat(IndexDefinition.parse(columnar.name(), columnar.text())).isEqualTo(columnar);
    assertThat(columnar.toBuilder().build()).isEqualTo(columnar);
    assertThat(columnar.local().stored()).isEqualTo("values");
    assertThat(price().build().text()).contains("layout=COLUMNAR");
    assertThatThrownBy(() -> price().layout(Layout.COLUMNAR).include(List.of()).build())
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("COLUMNAR");
  }

  @Test
  void aDefinitionWithoutALayoutIsOfAnIndexThatIsClustering() {
    IndexDefinition before = price().layout(Layout.CLUSTERING).build();
    assertThat(before.text()).doesNotContain("layout");
    assertThat(IndexDefinition.parse(before.name(), before.text())).isEqualTo(before);
    IndexDefinition including = price().include(List.of()).build();
    assertThat(including.local().layout()).isEqualTo(Layout.CLUSTERING);
    assertThat(IndexDefinition.parse(including.name(), including.text())).isEqualTo(including);
  }

  @Test
  void aColumnarLayoutNeedsBlocksInWhichRowsHaveAPlace() {
    TableDescriptor large =
        TableDescriptorBuilder.newBuilder(PLAIN)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(PLAIN.getColumnFamily(Bytes.toBytes("d")))
                    .setBlocksize(Layout.MAX_BLOCK_BYTES + 1)
                    .build())
            .build();
    assertThatThrownBy(() -> IndexSchema.withIndex(large, price().build()))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("BLOCKSIZE 1048577 in column family 'd'")
        .hasMessageContaining("take CLUSTERING");
    IndexDefinition clustering = price().layout(Layout.CLUSTERING).build();
    assertThat(IndexSchema.of(IndexSchema.withIndex(large, clustering)).indexes())
        .containsExactly(clustering);
  }

  @Test
  void onlyLocalIndexesHaveFlags() {
    for (IndexKind kind : List.of(IndexKind.GLOBAL, IndexKind.STATS)) {
      assertThatThrownBy(() -> price().kind(kind).flags(50).build())
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("flags or layout; leave them out");
      assertThatThrownBy(() -> price().kind(kind).layout(Layout.COLUMNAR).build())
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("flags or layout; leave them out");
      // Those that were written with some are read.
      String text = price().kind(kind).build().text().replace("flags=100", "flags=50");
      IndexDefinition before = IndexDefinition.parse("totalprice", text);
      assertThat(before.text()).isEqualTo(text);
      assertThat(before.toBuilder().build()).isEqualTo(before);
    }
  }

  @Test
  void namesBeyondAsciiAreUtf8() {
    ColumnName name = ColumnName.parse("d:\u00fcn\u65e5\\x00");
    assertThat(name.qualifier()).isEqualTo(Bytes.toBytes("\u00fcn\u65e5\u0000"));
    assertThat(ColumnName.parse(name.toString())).isEqualTo(name);
  }
}
