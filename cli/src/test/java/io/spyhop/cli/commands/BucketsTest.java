package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands of bucketed tables. */
class BucketsTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @TempDir private Path dir;

  @Test
  void aTableIsMadeFilledAskedAndShown() throws IOException {
    assertThat(HBASE.lines("buckets", "create", "shoal", "--family", "d", "--bits", "4"))
        .containsExactly("Created table 'shoal' with 4 buckets.");
    Path file = dir.resolve("fish.csv");
    Files.write(file, List.of("key,d:weight", "cod,2", "eel,1", "herring,2", "perch,3"));
    HBASE.lines("import", "shoal", file.toString());
    String where = "CAST(d:weight AS TEXT_LONG) = 2";
    assertThat(HBASE.lines("query", "shoal", where).toString())
        .containsSubsequence("cod", "herring");
    assertThat(HBASE.lines("query", "shoal", where, "--any-order").toString())
        .contains("cod", "herring")
        .doesNotContain("eel");
    List<String> shown = HBASE.lines("buckets", "shoal");
    assertThat(shown.get(0))
        .isEqualTo(
            "Table 'shoal': 4 buckets of up to 2 of 4 bits of murmur3_32:1, split beyond"
                + " 10,737,418,240 bytes.");
    assertThat(shown.subList(2, 6))
        .allSatisfy(line -> assertThat(line).matches("[01]{2} +2 +25.00% .*"));
    assertThat(shown).last().isEqualTo("The most loaded server has 1.00 times the mean.");
    assertThat(HBASE.lines("rebalance", "shoal", "--dry-run"))
        .containsExactly("Table 'shoal': nothing to move.");
    assertThat(HBASE.lines("rebalance", "shoal", "--status"))
        .containsExactly("Table 'shoal' was not rebalanced yet.");
    assertThat(HBASE.lines("rebalance", "shoal"))
        .containsExactly("Table 'shoal' is rebalanced; 0 buckets were moved.");
    for (String looks : List.of("--status", "--follow", "--stop")) {
      assertThat(HBASE.lines("rebalance", "shoal", looks))
          .singleElement()
          .asString()
          .matches("Rebalance by user '.*', begun 20.*Z: done. 0 buckets moved, 0 left.");
    }
    assertThat(HBASE.lines("buckets", "shoal"))
        .last()
        .asString()
        .endsWith("Z: done. 0 buckets moved, 0 left.");
    refused("--add and --remove", "rebalance", "shoal", "--status", "--add", "localhost");
    refused("mutually exclusive", "rebalance", "shoal", "--status", "--stop");
    refused("table 'shoal' exists", "buckets", "create", "shoal", "--family", "d");
    refused("--pause -1 is not from 0 to 300", "rebalance", "shoal", "--pause", "-1");
    refused("--pause 301 is not from 0 to 300", "rebalance", "shoal", "--pause", "301");
    refused("there is no region server 'nobody'", "rebalance", "shoal", "--add", "nobody");
  }

  @Test
  void aPlainTableHasNone() throws IOException {
    Path file = dir.resolve("plain.csv");
    Files.write(file, List.of("key,d:weight", "cod,2"));
    HBASE.lines("import", "plainfish", file.toString());
    refused("table 'plainfish' has no buckets", "buckets", "plainfish");
    refused("table 'plainfish' has no buckets", "rebalance", "plainfish");
    refused("table 'nofish' does not exist", "buckets", "nofish");
  }

  private static void refused(String why, String... args) {
    Run run = HBASE.run(args);
    assertThat(run.err()).startsWith("spyhop: ").contains(why);
    assertThat(run.code()).isEqualTo(2);
  }
}
