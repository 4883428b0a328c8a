package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Test
  void mistakes() {
    Run run = HBASE.run("sql", "SELECT wieght FROM pond");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("Column 'wieght' not found");
    assertThat(HBASE.run("sql", " ").code()).isEqualTo(2);
    assertThat(HBASE.run("sql", "DELETE FROM pond").err()).contains("this driver reads");
  }
}
