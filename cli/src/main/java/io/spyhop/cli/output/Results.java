package io.spyhop.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The results of a benchmark, as it writes them with {@code --json}.
 *
 * @param section what it measured
 * @param when and where, if the file says so
 */
public record Results(Section section, Optional<Circumstances> when) {
  /** One for each benchmark whose results make a part of a page. */
  static final List<Layout> LAYOUTS =
      List.of(
          new MdrqLayout(),
          new DeliLayout(),
          new PruningLayout(),
          new DynahashLayout(),
          new RemixLayout(),
          new OrderLayout(),
          new ScaleLayout());

  /** What has just been measured here. */
  public static Results here(Section section) throws IOException {
    return new Results(section, Optional.of(Circumstances.now()));
  }

  /**
   * The results in a file, whichever benchmark's they are.
   *
   * @throws InvalidResultsException if they are none's
   * @throws IOException if the file cannot be read, or a plot cannot be drawn
   */
  public static Results read(Path file) throws IOException {
    String text = Files.readString(file);
    try {
      JsonNode root = Json.tree(text);
      Optional<Circumstances> when = Optional.empty();
      if (root instanceof ObjectNode all && all.has(Json.MEASURED)) {
        when = Optional.of(Json.value(all.remove(Json.MEASURED), Circumstances.class));
      }
      Optional<Section> section = section(root);
      if (section.isPresent()) {
        return new Results(section.get(), when);
      }
    } catch (JsonProcessingException e) {
      throw new InvalidResultsException(file, e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new InvalidResultsException(file, e.getMessage(), e);
    }
    throw new InvalidResultsException(file, "no benchmark writes such keys", null);
  }

  private static Optional<Section> section(JsonNode root) throws IOException {
    Row report = Json.row(root);
    for (Layout layout : LAYOUTS) {
      if (layout.isOf(report)) {
        return Optional.of(layout.section(report));
      }
    }
    return Optional.empty();
  }
}
