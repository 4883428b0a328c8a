package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a file to rows that a query finds. */
class ImportTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @TempDir private Path dir;

  private String file(String text) throws IOException {
    return Files.writeString(dir.resolve("in.csv"), text).toString();
  }

  private static void shouldRefuse(int code, String message, String... args) {
    Run run = HBASE.run(args);
    assertThat(run.err()).startsWith("spyhop: ").contains(message);
    assertThat(run.err().strip().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(code);
  }

  @Test
  void aNewcomersWay() throws IOException {
    String birds =
        "\uFEFFname,d:weight,d:colour,e:seen\r\n"
            + "owl,1.5,\"brown, \"\"dark\"\"\",2026-11-22\r\n"
            + "wren,0.1,,2026-11-20\r\n"
            + "amsel,0.3,schwärzlich,\r\n";
    assertThat(HBASE.lines("import", "owls", file(birds)))
        .satisfiesExactly(
            made -> assertThat(made).isEqualTo("Made table 'owls' with the column families d, e."),
            done ->
                assertThat(done)
                    .matches("Imported 3 rows into table 'owls' in .* s, 0 lines rejected\\."));
    for (String[] index :
        new String[][] {
          {"weight", "d:weight", "text_double"}, {"seen", "e:seen", "date"},
        }) {
      HBASE.lines(
          "index", "create", "owls", index[0], "--column", index[1], "--type", index[2], "--wait");
    }
    assertThat(HBASE.lines("query", "owls", "weight > 0.2 OR seen = '2026-11-20'"))
        .containsExactly(
            "amsel  d:colour=schwärzlich d:weight=0.3",
            "owl  d:colour=brown, \"dark\" d:weight=1.5 e:seen=2026-11-22",
            "wren  d:weight=0.1 e:seen=2026-11-20");
    assertThat(HBASE.lines("explain", "owls", "weight > 0.2")).isNotEmpty();
  }

  @Test
  void badLinesAreNamedAndTheOthersImported() throws IOException {
    String text = "k,d:v,d:w\na,1,2\nb,1\n,1,2\nc,,NULL\nd,1,\u00E9\nf,NULL,6\n";
    Path latin = dir.resolve("latin.csv");
    Files.writeString(latin, text, StandardCharsets.ISO_8859_1);
    Run run = HBASE.run("import", "bad_lines", latin.toString(), "--null", "NULL", "--batch", "2");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("Imported 2 rows", "4 lines rejected");
    assertThat(run.err().lines().map(l -> l.replace(latin.toString(), "F")))
        .satisfiesExactly(
            l -> assertThat(l).startsWith("spyhop: F line 3: 2 fields, but the header has 3;"),
            l -> assertThat(l).startsWith("spyhop: F line 4, column 1 (the key): it is empty"),
            l -> assertThat(l).startsWith("spyhop: F line 5: the key has no values"),
            l -> assertThat(l).startsWith("spyhop: F line 6, column 3 (d:w): it is not UTF-8"));
    assertThat(HBASE.lines("query", "bad_lines", "CAST(w AS STRING) >= '0'"))
        .containsExactly("a  d:v=1 d:w=2", "f  d:w=6");
  }

  @Test
  void manyBadLinesAreCounted() throws IOException {
    String text =
        IntStream.range(0, 30)
            .mapToObj(i -> "k" + i)
            .collect(Collectors.joining("\n", "k,d:v\n", ""));
    Run run = HBASE.run("import", "all_bad", file(text));
    assertThat(run.err().lines()).hasSize(21).last().asString().contains("10 more lines");
    assertThat(run.out()).contains("Imported 0 rows", "30 lines rejected");
  }

  @Test
  void aServersRefusalNamesTheLine() throws IOException {
    HBASE.lines("import", "refused", file("k,d:v\na,1\n"));
    HBASE.lines(
        "index",
        "create",
        "refused",
        "v",
        "--kind",
        "global",
        "--column",
        "d:v",
        "--type",
        "STRING");
    Run run = HBASE.run("import", "refused", file("k,d:v\nb,2\n" + "c".repeat(32_000) + ",3\n"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("Imported 1 rows", "1 lines rejected");
    assertThat(run.err()).contains("in.csv line 3: the row was refused: ");
  }

  @Test
  void linesOfOneKeyAreOneRow() throws IOException {
    assertThat(HBASE.lines("import", "repeated", file("k,d:v\na,1\nb,2\na,3\nb,4\n")))
        .satisfiesExactly(
            made -> assertThat(made).startsWith("Made table"),
            done -> assertThat(done).startsWith("Imported 2 rows ").endsWith(" 0 lines rejected."),
            more -> assertThat(more).startsWith("2 lines have the key of an earlier one"));
    assertThat(HBASE.lines("query", "repeated")).containsExactly("a  d:v=3", "b  d:v=4");
  }

  @Test
  void emptiedFieldsStayOrGo() throws IOException {
    assertThat(HBASE.lines("import", "emptied", file("k,d:v,d:w\na,1,2\nb,,4\nc,5,6\n")))
        .as("nothing was there")
        .hasSize(2);
    String emptied = file("k,d:v,d:w\na,,NULL\nb,x,\nc,,9\n");
    Run skip = HBASE.run("import", "emptied", emptied, "--null", "NULL");
    assertThat(skip.out())
        .contains("Imported 2 rows", "1 lines rejected")
        .contains("4 empty fields left what was in their columns as it is; --empty DELETE");
    assertThat(skip.err()).contains("line 2: the key has no values");
    assertThat(HBASE.lines("query", "emptied"))
        .containsExactly("a  d:v=1 d:w=2", "b  d:v=x d:w=4", "c  d:v=5 d:w=9");
    assertThat(HBASE.lines("import", "emptied", emptied, "--null", "NULL", "--empty", "empty"))
        .hasSize(2);
    assertThat(HBASE.lines("query", "emptied"))
        .containsExactly("a  d:v= d:w=2", "b  d:v=x d:w=", "c  d:v= d:w=9");
    assertThat(HBASE.lines("import", "emptied", emptied, "--null", "NULL", "--empty", "delete"))
        .singleElement()
        .asString()
        .startsWith("Imported 3 rows ");
    assertThat(HBASE.lines("query", "emptied")).containsExactly("b  d:v=x", "c  d:w=9");
  }

  /** HBase lets a delete win over a put of the same millisecond, whichever comes first. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "3", "1000"})
  void deletesHideNoLaterLine(String batch) throws IOException {
    String table = "alternating" + batch;
    HBASE.lines("buckets", "create", table, "--family", "d", "--buckets", "2");
    String text =
        IntStream.range(0, 101)
            .mapToObj(i -> i % 2 == 0 ? "a," + i + ",\nb,,x\n" : "a,,y\nb," + i + ",\n")
            .collect(Collectors.joining("", "k,d:v,d:w\n", ""));
    String[] asked = {"import", table, file(text), "--empty", "delete", "--batch", batch};
    assertThat(HBASE.lines(asked))
        .satisfiesExactly(
            done -> assertThat(done).startsWith("Imported 2 rows "),
            more -> assertThat(more).startsWith("200 lines have the key of an earlier one"));
    assertThat(HBASE.lines("query", table)).containsExactly("a  d:v=100", "b  d:w=x");
  }

  /** As a statistics office writes it. */
  @Test
  void filesOfOthersAreLoadedAsTheyAre() throws IOException {
    String others = file("name,id,Date of birth,2024,2024\nAda,7,1815-12-10,1,2\n,8,,,\n");
    assertThat(
            HBASE.lines(
                "import",
                "others",
                others,
                "--key",
                "id",
                "--family",
                "d",
                "--columns",
                "name,Date of birth=born",
                "--empty",
                "delete"))
        .hasSize(2);
    assertThat(HBASE.lines("query", "others")).containsExactly("7  d:born=1815-12-10 d:name=Ada");
  }

  @Test
  void standardInputAndOtherDelimiters() throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream("k\td:v\na\tx,y\n".getBytes(StandardCharsets.UTF_8)));
      HBASE.lines("import", "tabs", "-", "--delimiter", "tab");
    } finally {
      System.setIn(before);
    }
    assertThat(HBASE.lines("query", "tabs", "CAST(v AS STRING) = 'x,y'"))
        .containsExactly("a  d:v=x,y");
  }

  @Test
  void whatCannotWorkIsRefusedBeforeAnythingIsMade() throws IOException {
    String good = file("k,d:v\na,1\n");
    shouldRefuse(1, "there is no such file", "import", "t", good + "x");
    shouldRefuse(1, "it is a directory", "import", "t", dir.toString());
    shouldRefuse(2, "--delimiter", "import", "t", good, "--delimiter", "::");
    shouldRefuse(2, "--batch 0 is less than 1", "import", "t", good, "--batch", "0");
    shouldRefuse(2, "own", "import", "hbase:meta", good);
    shouldRefuse(2, "own", "import", "_spyhop.t.i", good);
    shouldRefuse(2, "namespace 'no' does not exist", "import", "no:t", good);
    HBASE.lines("import", "one_family", good);
    shouldRefuse(2, "no column family 'e'", "import", "one_family", file("k,e:v\na,1\n"));
    shouldRefuse(2, "1 rows before it", "import", "one_family", file("k,d:v\na,1\nb,\"2"));
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      assertThat(admin.tableExists(TableName.valueOf("t"))).isFalse();
      admin.disableTable(TableName.valueOf("one_family"));
    }
    shouldRefuse(1, "is disabled", "import", "one_family", file("k,d:v\na,1\n"));
  }
}
