package io.spyhop.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.dynahash.DynahashReport;
import io.spyhop.bench.mdrq.BenchReport;
import io.spyhop.bench.order.OrderReport;
import io.spyhop.bench.pruning.PruningReport;
import io.spyhop.bench.remix.RemixReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what benchmarks have written with {@code --json}. Stateless. */
public final class Results {
  private Results() {}

  /**
   * The results in a file, whichever benchmark's they are.
   *
   * @throws InvalidResultsException if they are none's
   * @throws IOException if the file cannot be read, or a plot cannot be drawn
   */
  public static Section read(Path file) throws IOException {
    String text = Files.readString(file);
    try {
      JsonNode root = Json.tree(text);
      if (root.has("states")) {
        return MdrqSection.of(Json.value(root, BenchReport.class));
      }
      if (root.has("write_drained")) {
        return DeliSection.of(Json.value(root, DeliReport.class));
      }
      if (root.has("all")) {
        return PruningSection.of(Json.value(root.get("all"), PruningReport.class));
      }
      if (root.has("micro") && root.has("upkeep")) {
        return RemixSection.of(Json.value(root, RemixReport.class));
      }
      if (root.has("rebalance") && root.has("under_load")) {
        return DynahashSection.of(Json.value(root, DynahashReport.class));
      }
      if (root.has("top10")) {
        return RemixSection.of(Json.value(root, OrderReport.class));
      }
    } catch (JsonProcessingException e) {
      throw new InvalidResultsException(file, e.getOriginalMessage(), e);
    }
    throw new InvalidResultsException(file, "no benchmark writes such keys", null);
  }
}
