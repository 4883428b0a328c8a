package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SqlTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @TempDir private static Path dir;

  @BeforeAll
  static void load() throws IOException {
    Path rows = dir.resolve("rows.csv");
    Files.writeString(rows, "k,d:name,d:weight\na,cod,1.5\nb,eel,0.5\nc,ray,12\n");
    assertThat(HBASE.run("import", "pond", rows.toString()).code()).isZero();
    assertThat(
            HBASE
                .run(
                    "index",
                    "create",
                    "pond",
                    "weight",
                    "--column",
                    "d:weight",
                    "--type",
                    "TEXT_DOUBLE",
                    "--wait")
                .code())
        .isZero();
  }

  @Test
  void rows() {
    Run run = HBASE.run("sql", "SELECT weight FROM pond WHERE weight > 1 ORDER BY weight DESC");
    assertThat(run.out().lines().map(String::strip))
        .containsExactly(
            "+--------+", "| weight |", "+--------+", "| 12.0   |", "| 1.5    |", "+--------+");
    assertThat(run.code()).isZero();
  }

  @Test
  void formats() {
    String sql = "SELECT COUNT(*) AS n FROM pond";
    assertThat(HBASE.run("sql", sql, "--format", "csv").out().lines())
        .containsExactly("'n'", "'3'");
    assertThat(HBASE.run("sql", sql, "--format", "json").out()).contains("\"n\":3");
  }

  /** Runs what is piped in. */
  private static Run piped(String text, String... options) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return HBASE.run(Stream.concat(Stream.of("sql"), Stream.of(options)).toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  /** However it comes: as an argument, or piped in. */
  private static void answers(String text, String... lines) {
    for (Run run :
        List.of(HBASE.run("sql", text, "--format", "csv"), piped(text, "--format", "csv"))) {
      assertThat(run.out().lines()).as("%s: %s", text, run.err()).containsExactly(lines);
      assertThat(run.err()).as(text).isEmpty();
      assertThat(run.code()).as(text).isZero();
    }
  }

  @Test
  void statementsEndWhereSqlSays() {
    answers(
        "SELECT COUNT(*) AS n FROM pond (\"d:name\" VARCHAR) WHERE \"d:name\" LIKE 'z\\_' ESCAPE"
            + " '\\'; SELECT 1 AS a",
        "'n'",
        "'0'",
        "'a'",
        "'1'");
    answers(
        "SELECT COUNT(*) AS n FROM pond WHERE CAST(weight AS VARCHAR) <> '\\';\nSELECT 'a;b' AS s;\n"
            + "SELECT 'it''s' AS s, ';' AS t",
        "'n'",
        "'3'",
        "'s'",
        "'a;b'",
        "'s','t'",
        "'it''s',';'");
    answers(
        "\n-- it's; all\nSELECT 1 AS a /* ; ' */; SELECT 2 AS \"b;-\" -- ;",
        "'a'",
        "'1'",
        "'b;-'",
        "'2'");
  }

  @Test
  void whatHasNoEndIsAnError() {
    for (String text :
        List.of(
            "SELECT 1 AS a;\nSELECT 'open AS b;",
            "SELECT 1 AS a; SELECT 2 AS \"b",
            "SELECT 1 AS a; /* for ever")) {
      for (Run run : List.of(HBASE.run("sql", text), piped(text))) {
        assertThat(run.err()).as(text).contains("statement 2 is unfinished");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).as(text).isEqualTo(1);
      }
    }
    for (String text :
        List.of("SELECT COUNT(* FROM pond", "SELECT `a", "SELECT [1", "# SELECT 1")) {
      Run run = HBASE.run("sql", text);
      assertThat(run.err()).as(text).contains("Error");
      assertThat(run.code()).as(text).isEqualTo(1);
    }
  }

  @Test
  void eachFailureCounts() {
    String text = "SELECT zz FROM pond; SELECT COUNT(*) AS n FROM pond;";
    for (Run run :
        List.of(HBASE.run("sql", text, "--format", "csv"), piped(text, "--format", "csv"))) {
      assertThat(run.err()).contains("Column 'zz' not found");
      assertThat(run.out().lines()).containsExactly("'n'", "'3'");
      assertThat(run.code()).isEqualTo(1);
    }
    assertThat(HBASE.run("sql", "!nothing\nSELECT 1").code()).isEqualTo(1);
    assertThat(HBASE.run("sql", "!set maxWidth 80\nSELECT 1").code()).isZero();
  }

  @Test
  void nulls() {
    String sql =
        "SELECT CAST(NULL AS BOOLEAN) AS a, CAST(NULL AS VARCHAR) AS b, CAST(NULL AS INTEGER) AS c";
    answers(sql, "'a','b','c'", "'null','null','null'");
    assertThat(HBASE.run("sql", sql).out().lines().toList().get(3).split("[| ]+"))
        .containsExactly("", "null", "null", "null");
    assertThat(HBASE.run("sql", sql, "--format", "json").out())
        .contains("{\"a\":null,\"b\":null,\"c\":null}");
  }

  @Test
  void mistakes() {
    PrintStream before = System.err;
    ByteArrayOutputStream traces = new ByteArrayOutputStream();
    System.setErr(new PrintStream(traces, true, StandardCharsets.UTF_8));
    Run run;
    try {
      run = HBASE.run("sql", "SELECT wieght FROM pond");
    } finally {
      System.setErr(before);
    }
    assertThat(traces.toString(StandardCharsets.UTF_8)).doesNotContain("\tat ");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("Column 'wieght' not found");
    assertThat(HBASE.run("sql", " ").code()).isEqualTo(2);
    assertThat(HBASE.run("sql", "DELETE FROM pond").err()).contains("this driver reads");
  }
}
