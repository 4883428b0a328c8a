package io.spyhop.server.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of docs/security.md that says who sees what along which way. */
final class RightsTable {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "")).resolve("../docs/security.md");

  private final List<String> headings;
  private final Map<String, List<String>> rows;

  private RightsTable(List<String> headings, Map<String, List<String>> rows) {
    this.headings = headings;
    this.rows = rows;
  }

  /**
   * Reads the page: the table is the one whose first heading is "way". A row may be of several
   * ways.
   */
  static RightsTable read() throws IOException {
    List<List<String>> lines = new ArrayList<>();
    boolean within = false;
    for (String line : Files.readAllLines(PAGE)) {
      within = line.startsWith("| way |") || within && line.startsWith("|");
      if (within) {
        lines.add(cells(line));
      }
    }
    if (lines.size() < 3) {
      throw new IllegalStateException("no table of ways in " + PAGE);
    }
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (List<String> cells : lines.subList(2, lines.size())) {
      for (String way : cells.get(0).split(", ")) {
        if (cells.size() != lines.get(0).size()
            || rows.put(way, cells.subList(1, cells.size())) != null) {
          throw new IllegalStateException("a row of other length, or a way twice: " + cells);
        }
      }
    }
    return new RightsTable(lines.get(0).subList(1, lines.get(0).size()), rows);
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|"))
        .map(String::strip)
        .toList();
  }

  /** The users. */
  List<String> headings() {
    return headings;
  }

  /** The ways. */
  List<String> ways() {
    return List.copyOf(rows.keySet());
  }

  /** What a way gives a user. */
  Outcome cell(String way, String heading) {
    return Outcome.of(rows.get(way).get(headings.indexOf(heading)));
  }
}
