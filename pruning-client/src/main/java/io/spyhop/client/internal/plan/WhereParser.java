package io.spyhop.client.internal.plan;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import java.util.Objects;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.Token;
import net.sf.jsqlparser.parser.TokenMgrException;

/**
 * Reads the condition that stands after WHERE in SQL. Stateless, thread-safe.
 *
 * <p>Supported: {@code = != <> < <= > >=} with a literal on either side, {@code [NOT] BETWEEN},
 * {@code [NOT] IN}, {@code [NOT] LIKE 'prefix%'}, {@code IS [NOT] NULL}, {@code AND}, {@code OR},
 * {@code NOT} and parentheses. A column is {@code qualifier}, {@code family.qualifier}, {@code
 * "family:qualifier"} or {@code CAST(column AS type)} with the name of a {@link
 * io.spyhop.core.value.ValueType}. A literal is a number, text in single quotes, {@code TRUE},
 * {@code FALSE}, {@code DATE '1997-03-10'} or {@code TIMESTAMP '1997-03-10 12:00:00'}.
 *
 * <p>Whole numbers become {@code Long} (beyond its range {@code BigDecimal}), other numbers {@code
 * BigDecimal}, text, dates and times {@code String}; whether they fit their column is checked when
 * the predicate is bound.
 */
public final class WhereParser {
  /** How deep parentheses may be nested; deeper text takes the grammar too long. */
  static final int MAX_DEPTH = 80;

  private WhereParser() {}

  /**
   * Reads a condition.
   *
   * @throws InvalidQueryException if the text is not a condition or uses what is not supported; the
   *     message is one line that names the text and the place
   */
  public static Predicate parse(String text) {
    Complaint complaint = new Complaint(Objects.requireNonNull(text, "text"));
    try {
      return new ConditionReader(complaint).read(expression(complaint));
    } catch (ParseException e) {
      throw unreadable(e, complaint);
    } catch (TokenMgrException e) {
      throw complaint.about("it cannot be split into words: " + firstLine(e), e);
    } catch (InvalidQueryException e) {
      throw e;
    } catch (RuntimeException e) {
      // JSqlParser's trees are not always complete for text that is unusual enough.
      throw complaint.about("it cannot be read: " + firstLine(e), e);
    }
  }

  /**
   * Reads a column: a name, which is in double quotes if it has parentheses, or {@code CAST(column
   * AS type)}.
   *
   * @param clause that the text is of, for messages
   * @throws InvalidQueryException if the text has parentheses without quotes and is no such thing
   */
  public static ColumnRef column(String clause, String text) {
    if (text.indexOf('(') < 0) {
      return new ColumnRef(text, null);
    }
    String name = unquoted(text);
    if (!name.equals(text)) {
      return new ColumnRef(name, null);
    }
    Complaint complaint = new Complaint(clause, text);
    try {
      return new ColumnReader(complaint).read(expression(complaint));
    } catch (ParseException e) {
      throw unreadable(e, complaint);
    } catch (TokenMgrException e) {
      throw complaint.about("it cannot be split into words: " + firstLine(e), e);
    }
  }

  /** A name without its double quotes, which are doubled within it. */
  public static String unquoted(String name) {
    boolean quoted = name.length() > 2 && name.startsWith("\"") && name.endsWith("\"");
    return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
  }

  /** Splits the text into words only if it may have too many parentheses. */
  private static void checkDepth(String text, Complaint complaint) {
    if (text.chars().filter(c -> c == '(').count() <= MAX_DEPTH) {
      return;
    }
    CCJSqlParser tokens = CCJSqlParserUtil.newParser(text);
    int depth = 0;
    for (Token t = tokens.getNextToken(); isWord(t); t = tokens.getNextToken()) {
      depth += t.image.equals("(") ? 1 : t.image.equals(")") ? -1 : 0;
      if (depth > MAX_DEPTH) {
        throw complaint.about("parentheses are nested more than " + MAX_DEPTH + " deep");
      }
    }
  }

  private static RuntimeException empty(Complaint complaint) {
    return complaint.about("it is empty; write a condition such as totalprice <= 45000");
  }

  /**
   * Without "complex parsing", which adds nothing that is supported here and takes time exponential
   * in the depth of parentheses.
   */
  private static Expression expression(Complaint complaint) throws ParseException {
    String text = complaint.disguise().text();
    if (text.isBlank()) {
      throw empty(complaint);
    }
    CCJSqlParser parser = CCJSqlParserUtil.newParser(text).withAllowComplexParsing(false);
    if (!isWord(parser.getToken(1))) {
      throw empty(complaint);
    }
    checkDepth(text, complaint);
    Expression expression = parser.Expression();
    Token rest = parser.getNextToken();
    if (isWord(rest)) {
      throw complaint.at(rest);
    }
    return expression;
  }

  private static boolean isWord(Token token) {
    return token.kind != CCJSqlParserConstants.EOF;
  }

  private static RuntimeException unreadable(ParseException e, Complaint complaint) {
    boolean placed = e.currentToken != null && e.currentToken.next != null;
    return placed
        ? complaint.at(e.currentToken.next)
        : complaint.about("it cannot be read: " + firstLine(e), e);
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
