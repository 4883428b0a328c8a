package io.spyhop.client.internal.plan;

import com.google.common.base.Ascii;
import io.spyhop.client.InvalidQueryException;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.Token;

/** Words the exceptions about one text of a query, each in one line. Immutable, thread-safe. */
final class Complaint {
  private static final int MAX_TEXT = 160;
  private static final int MAX_PART = 60;

  private final String clause;
  private final String text;
  private final Disguise disguise;

  /** About a condition. */
  Complaint(String text) {
    this("WHERE", text);
  }

  /**
   * @param clause that the text is of
   */
  Complaint(String clause, String text) {
    this.clause = clause;
    this.text = text;
    this.disguise = Disguise.of(text);
  }

  /** The text as the grammar is given it, and how its parts were written. */
  Disguise disguise() {
    return disguise;
  }

  /** The text is not a condition, whatever stands in it. */
  InvalidQueryException about(String what) {
    return new InvalidQueryException(prefix() + disguise.reveal(what));
  }

  /** The text is not a condition; the cause says more. */
  InvalidQueryException about(String what, Throwable cause) {
    return new InvalidQueryException(prefix() + disguise.reveal(what), cause);
  }

  /** A part of the text is understood, but not supported, or wrong. */
  InvalidQueryException about(Expression part, String what) {
    return about("'" + oneLine(part.toString(), MAX_PART) + "': " + what);
  }

  /** The text stops making sense at a token. */
  InvalidQueryException at(Token token) {
    String where = "line " + token.beginLine + ", column " + token.beginColumn;
    return token.image.isEmpty()
        ? about("it ends too early, at " + where)
        : about("it cannot be read from " + where + " on, at '" + token.image + "'");
  }

  private String prefix() {
    return clause + " \"" + oneLine(text, MAX_TEXT) + "\": ";
  }

  private static String oneLine(String s, int max) {
    return Ascii.truncate(s.replaceAll("\\s+", " ").trim(), max, "...");
  }
}
