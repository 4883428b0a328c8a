package io.spyhop.client.internal.plan;

import java.util.function.Function;

/**
 * A LIKE pattern that asks for a prefix: {@code %} at its end and nowhere else, no {@code _}.
 *
 * @param pattern the pattern, quotes already removed
 * @param escape the character that makes a following {@code %}, {@code _} or itself an ordinary one
 */
record LikePattern(String pattern, char escape) {
  /** The escape character where ESCAPE does not name another. */
  static final char DEFAULT_ESCAPE = '\\';

  private static final String ONLY_PREFIXES =
      "only patterns with one % at the end, such as 'abc%', are supported";

  /**
   * The text before the final {@code %}, unescaped.
   *
   * @param complain makes the exception for a pattern that is not a prefix
   */
  String prefix(Function<String, ? extends RuntimeException> complain) {
    StringBuilder prefix = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      if (c == escape) {
        prefix.append(escaped(i + 1, complain));
        i += 2;
      } else if (c == '%' && i == pattern.length() - 1) {
        return prefix.toString();
      } else if (c == '%' || c == '_') {
        throw complain.apply(ONLY_PREFIXES);
      } else {
        prefix.append(c);
        i++;
      }
    }
    throw complain.apply(ONLY_PREFIXES + "; for the whole text use =");
  }

  private char escaped(int i, Function<String, ? extends RuntimeException> complain) {
    char c = i < pattern.length() ? pattern.charAt(i) : ' ';
    if (c == '%' || c == '_' || c == escape) {
      return c;
    }
    throw complain.apply("the escape character " + escape + " must be followed by %, _ or itself");
  }
}
