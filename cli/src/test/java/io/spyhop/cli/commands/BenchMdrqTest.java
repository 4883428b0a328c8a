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

/** The benchmark as a user runs it, on a real HBase, with few rows: that it measures, not what. */
class BenchMdrqTest {
  @TempDir private Path dir;

  private JsonNode measure(String state, String layout) throws IOException {
    Path file = dir.resolve("bench.json");
    Run run =
        Cli.run(
            "bench",
            "mdrq",
            "--turn-ms",
            "0",
            "--state",
            state,
            "--layout",
            layout,
            "--rows",
            "500",
            "--regions",
            "2",
            "--repetitions",
            "1",
            "--json",
            file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void measuresEachLayoutInOneRun() throws IOException {
    JsonNode json = measure("flushed", "all");
    for (String list : List.of("queries", "aggregates", "states")) {
      assertThat(json.get(list))
          .extracting(row -> row.get("layout").asText())
          .as(list)
          .contains("CLUSTERING", "COLUMNAR");
    }
    json.get("queries").forEach(BenchMdrqTest::checkQuery);
  }

  /** Each way to measure, and to load. */
  @Test
  void measuresLoadingAndQueriesInStates() throws IOException {
    List<String> states =
        List.of(
            "flushed",
            "limit-wide",
            "clients-8",
            "cold",
            "repeat",
            "puts-beside-in",
            "mixed",
            "rows-20m");
    JsonNode json = measure(String.join(",", states), "columnar");
    assertThat(Samples.keys(json)).isEqualTo(Samples.keys(Samples.json("mdrq")));
    assertThat(json.get("regions").asInt()).isEqualTo(2);
    assertThat(json.at("/insert/ratio").asDouble()).isPositive();
    assertThat(json.get("indexed_after_s").asDouble()).isPositive();
    assertThat(json.get("bytes")).allMatch(size -> size.asLong() > 0);
    assertThat(json.get("queries")).hasSize(5 * 7 + 2 + 6);
    json.get("queries").forEach(BenchMdrqTest::checkQuery);
    assertThat(json.get("aggregates")).hasSize(2).allMatch(a -> a.get("equal").asBoolean());
    assertThat(json.get("states"))
        .extracting(state -> state.get("state").asText())
        .isEqualTo(states);
    json.get("states").forEach(BenchMdrqTest::checkState);
    assertThat(json.get("puts")).hasSize(2);
    for (JsonNode puts : json.get("puts")) {
      assertThat(puts.get("equal").asBoolean()).as(puts.toString()).isTrue();
      assertThat(puts.at("/plain/beside_longest_ms").asDouble()).isPositive();
      assertThat(puts.at("/spyhop/queries").asLong()).isPositive();
    }
  }

  private static void checkQuery(JsonNode query) {
    assertThat(query.get("equal").asBoolean()).as(query.toString()).isTrue();
    double plain = query.get("plain_ms").asDouble();
    assertThat(plain).isLessThanOrEqualTo(query.get("plain_predicate_ms").asDouble());
    assertThat(plain).isLessThanOrEqualTo(query.get("plain_scvf_ms").asDouble());
    double floor = query.get("floor_best_ms").asDouble();
    assertThat(floor).isLessThanOrEqualTo(query.get("floor_ms").asDouble());
    assertThat(floor).isLessThanOrEqualTo(query.get("floor_regions_ms").asDouble());
    for (String side : List.of("/plain", "/spyhop")) {
      for (String figure : List.of("/mb_read", "/cpu_ms", "/qps", "/p99_ms")) {
        assertThat(query.at(side + figure).asDouble()).as(side + figure + query).isPositive();
      }
    }
    if (query.get("name").asText().matches("(Narrow|Wide).*")) {
      assertThat(query.get("rows").asInt()).isBetween(1, 10);
    }
  }

  private static void checkState(JsonNode state) {
    String name = state.get("state").asText();
    assertThat(state.get("regions").asInt()).isEqualTo(name.equals("regions-64") ? 64 : 2);
    assertThat(state.get("rows").asInt()).isEqualTo(name.equals("rows-20m") ? 6_666 : 500);
    assertThat(state.get("memstore_mb").asDouble() > 0)
        .isEqualTo(name.startsWith("memstore") || name.equals("mixed"));
    int hfiles =
        List.of("shuffled", "mixed").contains(name) ? 5 : name.startsWith("updated") ? 2 : 1;
    assertThat(state.get("hfiles").asInt()).as(name).isEqualTo(hfiles);
    assertThat(state.at("/insert/indexed_ratio").asDouble()).isPositive();
  }
}
