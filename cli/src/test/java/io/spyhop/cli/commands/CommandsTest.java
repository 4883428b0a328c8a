package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One session of a user with a running HBase, command by command. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CommandsTest {
  private static final TableName FISH = TableName.valueOf("fish");

  private static final String NO_ORPHANS = "There are no orphaned index tables.";

  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @BeforeAll
  static void start() throws IOException {
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(FISH)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      try (Table table = connection.getTable(FISH)) {
        for (int i = 0; i < 10; i++) {
          table.put(
              new Put(Bytes.toBytes("fish" + i))
                  .addColumn(Bytes.toBytes("d"), Bytes.toBytes("weight"), Bytes.toBytes(i * 1.5))
                  .addColumn(Bytes.toBytes("d"), Bytes.toBytes("name"), Bytes.toBytes("n," + i)));
        }
      }
      admin.flush(FISH);
    }
  }

  private static String out(String... args) {
    return String.join("\n", HBASE.lines(args));
  }

  private static void shouldRefuse(String message, String... args) {
    Run run = HBASE.run(args);
    assertThat(run.err()).startsWith("spyhop: ").contains(message);
    assertThat(run.err().strip().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  @Order(1)
  void createsAnIndex() {
    assertThat(
            out(
                "index",
                "create",
                "fish",
                "weight",
                "--column",
                "d:weight",
                "--type",
                "double",
                "--min",
                "0",
                "--max",
                "100",
                "--flags",
                "10",
                "--include",
                "d:name",
                "--wait",
                "60"))
        .contains("Created index 'weight' on table 'fish'", "It is active after");
  }

  @Test
  @Order(2)
  void listsIt() {
    assertThat(out("index", "list", "fish").lines().toList().get(1))
        .matches("weight +LOCAL +d:weight +DOUBLE +0 +100 +10 +\\[d:name, d:weight\\] +off +- +-");
  }

  @Test
  @Order(3)
  void showsHowFarItIs() {
    assertThat(out("index", "status", "fish", "--wide").lines().toList().get(1))
        .matches("weight +LOCAL +d:weight +DOUBLE +ACTIVE +1/1 +1/1 +10 +0 +0 .*");
  }

  @Test
  @Order(3)
  void showsTheJobsThatMadeIt() {
    assertThat(out("index", "jobs").lines().skip(1).map(l -> l.split(" ")[0]))
        .contains("FLUSH", "COMMIT");
  }

  @Test
  @Order(4)
  void findsRows() {
    assertThat(out("query", "fish", "weight BETWEEN 3 AND 5").lines())
        .containsExactly("fish2  d:name=n,2 d:weight=3.0", "fish3  d:name=n,3 d:weight=4.5");
    assertThat(out("query", "fish", "weight > 1", "--limit", "1", "--select", "d:weight").lines())
        .containsExactly("fish1  d:weight=1.5");
  }

  @Test
  @Order(4)
  void saysWhatIsProbablyAMistake() {
    Run misspelt = HBASE.run("query", "fish", "weight > 1", "--select", "wieght");
    assertThat(misspelt.code()).isZero();
    assertThat(misspelt.out()).isEmpty();
    assertThat(misspelt.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("spyhop: warning: table 'fish': rows satisfy the condition")
                    .contains("d:wieght"),
            line -> assertThat(line).startsWith("0 rows in"));
    for (String command : List.of("query", "explain")) {
      Run cast = HBASE.run(command, "fish", "CAST(weight AS LONG) = 1");
      assertThat(cast.code()).isZero();
      assertThat(cast.err())
          .startsWith("spyhop: warning: table 'fish' declares column d:weight as DOUBLE, but")
          .contains("as LONG");
    }
    assertThat(HBASE.run("query", "fish", "weight > 1", "--select", "name").err().lines())
        .hasSize(1);
    Run type = HBASE.run("query", "fish", "CAST(name AS LONG) = 1");
    assertThat(type.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("spyhop: warning: table 'fish': none of the first")
                    .contains("column d:name is a value of type LONG"),
            line -> assertThat(line).startsWith("0 rows in"));
  }

  @Test
  @Order(4)
  void printsJson() {
    assertThat(out("query", "fish", "weight = 3", "--format", "json").strip())
        .isEqualTo("{\"row\":\"fish2\",\"columns\":{\"d:name\":\"n,2\",\"d:weight\":3.0}}");
  }

  @Test
  @Order(4)
  void printsAggregates() {
    assertThat(out("query", "fish", "weight BETWEEN 3 AND 5", "--count").lines())
        .containsExactly("count(*)", "       2");
    String[] sums = {
      "query", "fish", "weight BETWEEN 3 AND 5", "--aggregate", "sum(weight), max(weight)"
    };
    assertThat(out(sums).lines())
        .containsExactly("sum(weight)  max(weight)", "        7.5          4.5");
    assertThat(out(with(sums, "--format", "json")).strip())
        .isEqualTo("{\"sum(weight)\":7.5,\"max(weight)\":4.5}");
    String name = "CAST(name AS STRING)";
    assertThat(out(with(sums, "--group-by", name)).lines())
        .containsExactly(
            name + "  sum(weight)  max(weight)",
            "n,2                           3.0          3.0",
            "n,3                           4.5          4.5");
    assertThat(out(with(sums, "--group-by", name, "--format", "csv")).lines())
        .containsExactly(name + ",sum(weight),max(weight)", "\"n,2\",3.0,3.0", "\"n,3\",4.5,4.5");
    shouldRefuse("--aggregate", "query", "fish", "--group-by", "weight");
    shouldRefuse("limit", "query", "fish", "--count", "--limit", "1");
    shouldRefuse("no aggregate", "query", "fish", "--aggregate", "median(weight)");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  @Order(4)
  void printsCsv() {
    assertThat(out("query", "fish", "weight = 3", "--format", "csv").lines().toList())
        .satisfiesExactly(
            header -> assertThat(header).isEqualTo("row,column,timestamp,value"),
            name -> assertThat(name).matches("fish2,d:name,\\d+,\"n,2\""),
            weight -> assertThat(weight).matches("fish2,d:weight,\\d+,3\\.0"));
  }

  @Test
  @Order(4)
  void explains() {
    assertThat(out("explain", "fish", "weight < 2", "--hint", "weight")).contains("weight");
    assertThat(out("explain", "fish", "weight < 2", "--analyze")).contains("2 rows");
  }

  @Test
  @Order(5)
  void refusesWhatDoesNotFit() {
    shouldRefuse(
        "already has an index 'weight'",
        "index",
        "create",
        "fish",
        "weight",
        "--column",
        "d:weight",
        "--type",
        "double");
    shouldRefuse(
        "no column family 'x'",
        "index",
        "create",
        "fish",
        "other",
        "--column",
        "x:weight",
        "--type",
        "double");
    shouldRefuse("'birds' does not exist", "index", "status", "birds");
    shouldRefuse("'birds' does not exist", "query", "birds", "weight = 1");
    shouldRefuse(
        "'hbase:meta' is HBase's own",
        "index",
        "create",
        "hbase:meta",
        "server",
        "--column",
        "info:server",
        "--type",
        "string");
    for (String kind : List.of("local", "global", "stats")) {
      shouldRefuse(
          "create the index on the table",
          "index",
          "create",
          "_spyhop.fish.left",
          "other",
          "--kind",
          kind,
          "--column",
          "e:x",
          "--type",
          "int");
    }
    shouldRefuse(
        "split value 1 is given twice",
        "index",
        "create",
        "fish",
        "other",
        "--kind",
        "global",
        "--column",
        "d:x",
        "--type",
        "int",
        "--splits",
        "1,2,1");
    shouldRefuse("colour", "query", "fish", "colour = 'red'");
    shouldRefuse("heavy", "query", "fish", "weight > 'heavy'");
    shouldRefuse("no index 'colour'", "index", "drop", "fish", "colour");
  }

  @Test
  @Order(6)
  void listsAndDropsOrphans() throws IOException {
    out("index", "create", "fish", "left", "--column", "d:x", "--type", "int", "--kind", "global");
    String indexTable = "_spyhop.fish.left";
    assertThat(out("index", "list", "--orphans")).isEqualTo(NO_ORPHANS);
    for (String noOrphan : List.of(indexTable, "fish", "birds")) {
      shouldRefuse(
          "'" + noOrphan + "' is no orphaned index table; 'index list --orphans' lists",
          "index",
          "drop",
          "--orphan",
          noOrphan);
    }
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      admin.modifyTable(IndexSchema.withoutIndex(admin.getDescriptor(FISH), "left"));
    }
    assertThat(out("index", "list", "--orphans").lines().toList().get(1))
        .matches("_spyhop.fish.left +table 'fish' has no index 'left'");
    assertThat(out("index", "drop", "--orphan", indexTable)).contains("Dropped", indexTable);
    assertThat(out("index", "list", "--orphans")).isEqualTo(NO_ORPHANS);
    shouldRefuse("either a TABLE or --orphans", "index", "list");
    shouldRefuse("either a TABLE and a NAME", "index", "drop", "fish");
  }

  @Test
  @Order(6)
  void dropsTheIndex() {
    assertThat(out("index", "drop", "fish", "weight")).contains("Dropped index 'weight'");
    assertThat(out("index", "list", "fish").lines()).hasSize(1);
  }
}
