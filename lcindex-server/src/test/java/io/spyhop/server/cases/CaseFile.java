package io.spyhop.server.cases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of cases: comments, commands a line each, and under {@code ----} what the last of them
 * prints, up to an empty line. Immutable.
 */
final class CaseFile {
  private static final String RULE = "----";

  /** Runs a command. */
  @FunctionalInterface
  interface Commands {
    /** Returns the lines that it prints; none where it has nothing to say. */
    List<String> run(String line) throws Exception;
  }

  private final List<String> lines;

  private CaseFile(List<String> lines) {
    this.lines = lines;
  }

  static CaseFile read(Path file) throws IOException {
    return new CaseFile(Files.readAllLines(file));
  }

  /** The text, in which everything that must come out is replaced by what does. */
  String run(Commands commands) throws Exception {
    List<String> shown = new ArrayList<>();
    List<String> printed = List.of();
    boolean below = false;
    for (String line : lines) {
      if (below && !line.isEmpty()) {
        continue;
      }
      below = line.equals(RULE);
      shown.add(line);
      if (below) {
        shown.addAll(printed);
        printed = List.of();
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        requireNothing(printed, line);
        printed = commands.run(line);
      }
    }
    requireNothing(printed, "the end");
    return String.join("\n", shown) + "\n";
  }

  private static void requireNothing(List<String> printed, String before) {
    if (!printed.isEmpty()) {
      throw new AssertionError(
          "nothing says, before '" + before + "', that this comes: " + printed);
    }
  }
}
