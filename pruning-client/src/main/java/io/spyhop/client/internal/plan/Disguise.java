package io.spyhop.client.internal.plan;

/**
 * A text whose backslashes in quoted text, and line breaks in quoted names, are disguised as
 * characters that it does not have: the grammar takes {@code \'} for the end of a text, and has no
 * names of several lines. Immutable, thread-safe.
 */
final class Disguise {
  /** What is disguised; the stand-ins follow each other in the same order. */
  private static final String HIDDEN = "\\\n\r";

  private static final char FIRST_PRIVATE = '\uE000';

  private final String text;
  private final char standIn;

  private Disguise(String text, char standIn) {
    this.text = text;
    this.standIn = standIn;
  }

  /** Disguises what the grammar cannot read; the text stays as long as it is. */
  static Disguise of(String text) {
    char standIn = unused(text);
    StringBuilder disguised = new StringBuilder(text);
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0) {
        quote = c == '\'' || c == '"' || c == '`' ? c : 0;
      } else if (c == quote) {
        quote = 0;
      } else if (quote == '\'' ? c == '\\' : c == '\n' || c == '\r') {
        disguised.setCharAt(i, (char) (standIn + HIDDEN.indexOf(c)));
      }
    }
    return new Disguise(disguised.toString(), standIn);
  }

  private static char unused(String text) {
    int first = FIRST_PRIVATE;
    while (hasOneOf(text, first)) {
      first += HIDDEN.length();
    }
    return (char) first;
  }

  private static boolean hasOneOf(String text, int first) {
    return text.chars().anyMatch(c -> c >= first && c < first + HIDDEN.length());
  }

  /** The disguised text. */
  String text() {
    return text;
  }

  /** A part of the text as it was written. */
  String reveal(String part) {
    String revealed = part;
    for (int i = 0; i < HIDDEN.length(); i++) {
      revealed = revealed.replace((char) (standIn + i), HIDDEN.charAt(i));
    }
    return revealed;
  }
}
