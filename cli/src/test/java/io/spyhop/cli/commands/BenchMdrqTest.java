package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.cli.commands.Cli.Run;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark as a user runs it, on a real HBase, with few rows: that it measures, not what. */
class BenchMdrqTest {
  @TempDir private Path dir;

  @Test
  void measuresLoadingAndQueries() throws IOException {
    Path file = dir.resolve("bench.json");
    Run run =
        Cli.run(
            "bench",
            "mdrq",
            "--rows",
            "2000",
            "--regions",
            "2",
            "--repetitions",
            "1",
            "--json",
            file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("regions").asInt()).isEqualTo(2);
    assertThat(json.at("/insert/ratio").asDouble()).isPositive();
    assertThat(json.get("indexed_after_s").asDouble()).isPositive();
    assertThat(json.get("bytes")).allMatch(size -> size.asLong() > 0);
    assertThat(json.get("queries")).hasSize(5);
    for (JsonNode query : json.get("queries")) {
      assertThat(query.get("equal").asBoolean()).as(query.toString()).isTrue();
      assertThat(query.get("state").asText()).isEqualTo("flushed");
      double plain = query.get("plain_ms").asDouble();
      assertThat(plain).isLessThanOrEqualTo(query.get("plain_predicate_ms").asDouble());
      assertThat(plain).isLessThanOrEqualTo(query.get("plain_scvf_ms").asDouble());
    }
  }
}
