package io.spyhop.client;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selected columns: how they are read, and what is said of those that nobody has. */
class SelectionTest {
  private final FakeCluster cluster = new FakeCluster();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());
  private final IndexedTable table = spyhop.table(FakeCluster.TABLE);

  @BeforeEach
  void fill() {
    cluster.descriptor =
        IndexSchema.withIndex(
            cluster.descriptor,
            IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build());
    int i = 0;
    for (String row : List.of("a", "h", "q")) {
      cluster.put(row, "d:price", Bytes.toBytes((long) i++));
      cluster.put(row, "d:name", Bytes.toBytes("name of " + row));
      cluster.put(row, "e:other", Bytes.toBytes("other of " + row));
    }
    cluster.put("q", "d:note", Bytes.toBytes("note of q"));
  }

  @AfterEach
  void close() {
    spyhop.close();
  }

  private void newVersionBehavior(String family) {
    cluster.descriptor =
        TableDescriptorBuilder.newBuilder(cluster.descriptor)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setNewVersionBehavior(true)
                    .build())
            .build();
  }

  /** Names of families are bytes, of which texts show some by their numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"gr\u00f6\u00dfe", "gr\\xC3\\xB6\\xC3\\x9Fe"})
  void familiesBeyondAscii(String family) throws IOException {
    cluster.descriptor =
        TableDescriptorBuilder.newBuilder(cluster.descriptor)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("gr\u00f6\u00dfe"))
            .build();
    String column = family + ":n";
    assertThat(table.column(column).family()).isEqualTo(Bytes.toBytes("gr\u00f6\u00dfe"));
    assertThat(cells(Query.where("price >= 0").select(column))).isEmpty();
    assertThat(cells(Query.where("price >= 0").select(family + ":"))).isEmpty();
    assertThat(cells(Query.where(column(column, ValueType.LONG).eq(1L)))).isEmpty();
  }

  private List<String> cells(Query query) throws IOException {
    List<String> shown = new ArrayList<>();
    try (RowCursor rows = table.query(query)) {
      for (Result row : rows) {
        for (Cell c : row.rawCells()) {
          shown.add(Bytes.toString(row.getRow()) + " " + qualifier(c));
        }
      }
    }
    return shown;
  }

  private static String qualifier(Cell cell) {
    return Bytes.toString(CellUtil.cloneQualifier(cell));
  }

  /** Without quotes it is the family. */
  @Test
  void aColumnWhoseQualifierIsEmptyIsInQuotes() throws IOException {
    cluster.put("h", "d:", Bytes.toBytes("nameless"));
    cluster.put("h", "d:x:", Bytes.toBytes("colon"));
    assertThat(cells(Query.where("price = 1").select("\"d:\""))).containsExactly("h ");
    assertThat(cells(Query.where("price >= 0").select("\"d:\"", "d:note")))
        .containsExactly("h ", "q note");
    assertThat(cells(Query.where("price = 1").select("\"d:x:\""))).containsExactly("h x:");
    assertThat(cells(Query.where("price = 1").select("d:"))).hasSize(4);
    newVersionBehavior("d");
    assertThat(cells(Query.where("price = 1").select("\"d:\""))).containsExactly("h ");
  }

  /** HBase's own scan may never end there (docs/decisions/0007). */
  @Test
  void noSingleColumnsAreReadWithNewVersionBehavior() throws IOException {
    newVersionBehavior("d");
    assertThat(cells(Query.where("price >= 1").select("d:name")))
        .containsExactly("h name", "q name");
    assertThat(cells(Query.where("price >= 0").select("d:note", "e:other")))
        .containsExactly("a other", "h other", "q note", "q other");
    assertThat(cells(Query.where("price >= 0").select("d:note").limit(1)))
        .as("rows without a selected cell are not shown, and do not count")
        .containsExactly("q note");
    assertThat(cells(Query.all().select("d:note").limit(1))).containsExactly("q note");
    assertThat(cluster.scans)
        .allSatisfy(s -> assertThat(s.getFamilyMap().get(Bytes.toBytes("d"))).isNull())
        .allSatisfy(s -> assertThat(s.getFamilyMap()).containsKey(Bytes.toBytes("d")))
        .anySatisfy(s -> assertThat(s.getFamilyMap().get(Bytes.toBytes("e"))).hasSize(1));
  }

  private List<String> remarks(Query query) throws IOException {
    QueryRemarks remarks = table.remarks(query);
    List<String> all = new ArrayList<>(remarks.ofCondition());
    try (RowCursor rows = table.query(query)) {
      rows.forEach(remarks::saw);
      all.addAll(remarks.ofRows(rows));
    }
    return all;
  }

  @Test
  void whatNobodyHasIsNamed() throws IOException {
    assertThat(remarks(Query.where("price >= 0").select("d:nmae", "d:name")))
        .singleElement()
        .asString()
        .contains("table 'orders'", "none has the selected column d:nmae", "check the spelling");
    assertThat(remarks(Query.where("price >= 0").select("d:nmae", "d:nam")))
        .as("no row is returned")
        .singleElement()
        .asString()
        .contains("any of the selected columns d:nam, d:nmae");
    assertThat(remarks(Query.where("price > 99").select("d:nmae")))
        .as("no row satisfies the condition")
        .isEmpty();
    assertThat(remarks(Query.where("price >= 0").select("d:name", "d:note", "price", "e")))
        .isEmpty();
    assertThat(remarks(Query.all().select("d:nmae")))
        .singleElement()
        .asString()
        .contains("table 'orders': no row has the selected column d:nmae", "check the spelling");
    assertThat(remarks(Query.all().select("d:name"))).isEmpty();
  }

  @Test
  void anotherTypeThanTheDeclaredOneIsNamed() throws IOException {
    assertThat(remarks(Query.where("CAST(price AS STRING) = '1' AND CAST(d.name AS STRING) > 'a'")))
        .singleElement()
        .asString()
        .startsWith("table 'orders' declares column d:price as LONG, but the query reads it as STR")
        .contains("Leave out the CAST", "drop them");
    assertThat(remarks(Query.where("CAST(price AS LONG) = 1"))).isEmpty();
  }

  @Test
  void aTypeThatNoValueHasIsNamed() throws IOException {
    assertThat(remarks(Query.where("CAST(d.name AS LONG) = 1")))
        .singleElement()
        .asString()
        .startsWith(
            "table 'orders': none of the first 3 values of column d:name is a value of type LONG,"
                + " for example 'name of a'")
        .endsWith("Types that all of them have: STRING, BYTES, DECIMAL");
    assertThat(
            remarks(Query.where("CAST(d.name AS STRING) = 'nobody' AND CAST(d.note AS INT) = 1")))
        .singleElement()
        .asString()
        .contains("none of the first 1 values of column d:note is a value of type INT");
    assertThat(remarks(Query.where("CAST(d.missing AS LONG) = 1"))).isEmpty();
    cluster.put("b", "d:name", Bytes.toBytes(7L));
    assertThat(remarks(Query.where("CAST(d.name AS LONG) = 1"))).as("one has it").isEmpty();
    assertThat(table.remark(index("d:note", ValueType.TEXT_LONG))).isPresent();
    assertThat(table.remark(index("d:note", ValueType.STRING))).isEmpty();
    assertThat(table.remark(index("x:note", ValueType.STRING))).as("no such family").isEmpty();
  }

  private static IndexDefinition index(String column, ValueType type) {
    return IndexDefinition.builder("i").column(column).type(type).build();
  }
}
