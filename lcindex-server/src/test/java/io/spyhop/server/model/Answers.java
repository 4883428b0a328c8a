package io.spyhop.server.model;

import java.io.IOException;
import java.util.List;

/**
 * The answers of the plain scan and of another way to the same question.
 *
 * @param plain what the plain scan finds
 * @param other what the other way finds
 */
record Answers(List<String> plain, List<String> other) {
  private static final int TRIES = 50;

  /** Asks a question. */
  @FunctionalInterface
  interface Asking {
    List<String> ask() throws IOException;
  }

  /**
   * Asks the other way. In a table that changes by itself, as compactions drop what hides or is
   * hidden, what it says is judged only if the plain scan says the same before and after it.
   *
   * @param before what the plain scan has said
   */
  static Answers of(boolean restless, List<String> before, Asking plain, Asking other)
      throws IOException {
    List<String> expected = before;
    for (int i = 0; i < TRIES; i++) {
      List<String> answer = other.ask();
      if (!restless || answer.equals(expected)) {
        return new Answers(expected, answer);
      }
      List<String> after = plain.ask();
      if (after.equals(expected)) {
        return new Answers(expected, answer);
      }
      expected = after;
    }
    throw new AssertionError("the table does not come to rest");
  }

  boolean agree() {
    return plain.equals(other);
  }
}
