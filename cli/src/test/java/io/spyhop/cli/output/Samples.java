package io.spyhop.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Results as benchmarks write them, with made-up numbers. */
public final class Samples {
  private Samples() {}

  /** Of {@code bench mdrq} and so on. */
  public static JsonNode json(String benchmark) throws IOException {
    try (InputStream in = Samples.class.getResourceAsStream("/results/" + benchmark + ".json")) {
      return Json.tree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** The same as the benchmark gives them. */
  public static Row row(String benchmark) throws IOException {
    return Json.row(json(benchmark));
  }

  /**
   * The keys of results and of what is in them, of lists those of their rows. When and where it was
   * measured is not among them.
   */
  public static Set<String> keys(JsonNode results) {
    Set<String> keys = new TreeSet<>();
    add("", results, keys);
    keys.removeIf(key -> key.startsWith(Json.MEASURED));
    return keys;
  }

  private static void add(String path, JsonNode node, Set<String> keys) {
    node.fields()
        .forEachRemaining(
            field -> {
              keys.add(path + field.getKey());
              add(path + field.getKey() + "/", field.getValue(), keys);
            });
    if (node.isArray()) {
      node.forEach(row -> add(path, row, keys));
    }
  }
}
