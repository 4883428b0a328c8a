package io.spyhop.cli.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text's statements of SQL, separated by semicolons that stand in no quotes and no comment; the
 * last one needs none. Quotes are single or double, and are doubled within. Comments, but for
 * hints, are blanks in the statements. A line with an exclamation mark where a statement could
 * begin is a command of SQLLine.
 */
final class SqlText {
  private static final int SHOWN = 40;

  private final String text;
  private final List<String> statements = new ArrayList<>();
  private final StringBuilder current = new StringBuilder();
  private int at;

  /** Where the quotes or the comment begin that do not end; negative if all do. */
  private int open = -1;

  SqlText(String text) {
    this.text = text;
    while (at < text.length()) {
      next();
    }
    endStatement();
  }

  private void next() {
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      keep(endOf(String.valueOf(c), 1));
    } else if (text.startsWith("/*+", at)) {
      keep(endOf("*/", 2));
    } else if (text.startsWith("/*", at)) {
      blank(endOf("*/", 2));
    } else if (text.startsWith("--", at)) {
      blank(endOfLine());
    } else if (c == '!' && current.toString().isBlank()) {
      keep(endOfLine());
      endStatement();
    } else if (c == ';') {
      endStatement();
      at++;
    } else {
      keep(at + 1);
    }
  }

  private void keep(int end) {
    current.append(text, at, end);
    at = end;
  }

  /** Lines stay lines, for the places that messages name. */
  private void blank(int end) {
    text.substring(at, end)
        .chars()
        .map(c -> c == '\n' ? c : ' ')
        .forEach(c -> current.append((char) c));
    at = end;
  }

  private int endOf(String end, int opening) {
    int found = text.indexOf(end, at + opening);
    if (found < 0) {
      open = at;
      return text.length();
    }
    return found + end.length();
  }

  private int endOfLine() {
    int end = at;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return end;
  }

  private void endStatement() {
    if (open >= 0 || !current.toString().isBlank()) {
      statements.add(current.toString().strip());
    }
    current.setLength(0);
  }

  List<String> statements() {
    return statements;
  }

  boolean isOpen() {
    return open >= 0;
  }

  /** What is wrong with the last statement, if its quotes or its comment do not end. */
  Optional<String> unfinished() {
    if (!isOpen()) {
      return Optional.empty();
    }
    String opening = text.startsWith("/*", open) ? "comment /*" : "quote " + text.charAt(open);
    long line = text.substring(0, open).chars().filter(c -> c == '\n').count() + 1;
    String place = text.substring(open).replaceAll("\\s+", " ");
    return Optional.of(
        "statement "
            + statements.size()
            + " is unfinished: nothing is run, as the "
            + opening
            + " in line "
            + line
            + " does not end: "
            + (place.length() <= SHOWN ? place : place.substring(0, SHOWN) + "..."));
  }
}
