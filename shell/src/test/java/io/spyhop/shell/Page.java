package io.spyhop.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The sessions in {@code docs/shell.md}: what is typed there, and what it says is printed. */
final class Page {
  private static final String PROMPT = "hbase> ";
  private static final String FENCE = "```";

  /** The numbers of its answer are those of a server's life. */
  private static final String UNSTEADY = "spyhop_jobs";

  private final List<String> lines;

  private Page(List<String> lines) {
    this.lines = lines;
  }

  static Page read() throws IOException {
    List<String> shown = new ArrayList<>();
    boolean fenced = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "shell.md"))) {
      if (line.startsWith(FENCE)) {
        fenced = !fenced;
      } else if (fenced) {
        shown.add(line);
      }
    }
    return new Page(shown);
  }

  /** All that is typed. */
  String typed() {
    return lines.stream()
        .filter(l -> l.startsWith(PROMPT))
        .map(l -> l.substring(PROMPT.length()) + "\n")
        .collect(Collectors.joining());
  }

  /** What the page shows of each command. */
  List<List<String>> answers() {
    return answers(String.join("\n", lines));
  }

  /** What a shell shows of each command, in the page's manner. */
  static List<List<String>> answers(String output) {
    List<List<String>> answers = new ArrayList<>();
    List<String> last = new ArrayList<>();
    for (String line : Transcript.of(output).lines().toList()) {
      if (line.startsWith(PROMPT)) {
        last = new ArrayList<>();
        if (!line.contains(UNSTEADY)) {
          answers.add(last);
        }
      }
      if (!line.isEmpty() && !line.startsWith("Took ")) {
        last.add(line);
      }
    }
    return answers;
  }
}
