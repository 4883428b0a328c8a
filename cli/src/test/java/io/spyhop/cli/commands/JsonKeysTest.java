package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spyhop.bench.order.OrderReport;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys are read by other programs: they do not change. */
class JsonKeysTest {
  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  private static JsonNode json(Object report) throws IOException {
    return new ObjectMapper().readTree(Json.document(report));
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "costs", "mdrq", "deli", "pruning", "dynahash"})
  void helpNamesEachKey(String benchmark) throws IOException {
    ObjectNode results = (ObjectNode) Samples.json(benchmark);
    results.remove(List.of("all", "settings")); // what was asked for, and all that was measured
    String[] command =
        (benchmark.equals("demo") ? "demo --help" : "bench " + benchmark + " --help").split(" ");
    String help = Cli.run(command).out();
    String[] words = help.substring(help.indexOf("JSON:")).split("[^a-z0-9_]+");
    assertThat(Samples.keys(results))
        .extracting(path -> path.substring(path.lastIndexOf('/') + 1))
        .filteredOn(key -> !List.of("item", "store").contains(key))
        .isSubsetOf(words);
  }

  @Test
  void order() throws IOException {
    OrderReport.Top top = new OrderReport.Top(900, 9, 100, 12, true, 1_000, 900);
    JsonNode json = json(new OrderReport(100, 4, top));
    assertThat(keys(json)).containsExactly("rows", "regions", "top10");
    assertThat(keys(json.get("top10")))
        .containsExactly(
            "plain_ms",
            "spyhop_ms",
            "ratio",
            "blocks",
            "equal",
            "plain_scan_ms",
            "plain_regions_ms");
  }
}
