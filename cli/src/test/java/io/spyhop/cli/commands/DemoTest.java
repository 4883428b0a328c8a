package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration as a user runs it, on a real HBase, with few rows. */
class DemoTest {
  @TempDir private Path dir;

  @Test
  void answersAreEqualBeforeAndAfterUpdates() throws IOException {
    Path file = dir.resolve("demo.json");
    Run run = Cli.run("demo", "--rows", "2000", "--regions", "3", "--json", file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains(
            "Loaded 2,000 orders into 3 regions",
            "MDRQ-D",
            "in the memstores",
            "Flushed, compacted and indexed");
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(Samples.keys(json)).isEqualTo(Samples.keys(Samples.json("demo")));
    assertThat(json.get("rows").asLong()).isEqualTo(2_000);
    for (String part : List.of("queries", "after_updates", "after_compaction")) {
      assertThat(json.get(part)).hasSize(5);
      assertThat(json.get(part)).allMatch(query -> query.get("equal").asBoolean());
    }
    assertThat(json.at("/after_updates/0/rows").asInt())
        .isNotEqualTo(json.at("/queries/0/rows").asInt());
  }
}
