package io.spyhop.server.access;

import java.util.Arrays;
import java.util.Locale;

/** The outcome of a way for a user; the words of the table in docs/security.md. */
enum Outcome {
  /** The answer of the caller's own plain scan, and an index or statistics were used. */
  INDEX,
  /** The same answer, and no index nor statistic was looked at. */
  SCAN,
  /** It is told, or done. */
  ANSWERED,
  /** Told of the columns that the caller may read. */
  PART,
  /** Numbers of a whole server or query: no value, row key or literal. */
  NUMBERS,
  /** The region does it itself, and believes nothing that came along. */
  REGION,
  /** An empty answer. */
  NOTHING,
  /** An exception. */
  REFUSED;

  /** As the table has it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The outcome of a word of the table. */
  static Outcome of(String word) {
    return Arrays.stream(values())
        .filter(o -> o.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no outcome"));
  }
}
