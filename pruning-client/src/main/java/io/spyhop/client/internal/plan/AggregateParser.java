package io.spyhop.client.internal.plan;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregate.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads aggregates as SQL has them after SELECT. Stateless, thread-safe. */
public final class AggregateParser {
  private static final String CLAUSE = "AGGREGATE";
  private static final Pattern CALL =
      Pattern.compile("(\\w+)\\s*\\(\\s*(.*\\S)\\s*\\)", Pattern.DOTALL);
  private static final Pattern DISTINCT =
      Pattern.compile(
          "distinct(?:\\s+(?=\\S)|(?=[\"(]))(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Map<String, Function> FUNCTIONS =
      Map.of(
          "COUNT", Function.COUNT,
          "MIN", Function.MIN,
          "MAX", Function.MAX,
          "SUM", Function.SUM,
          "AVG", Function.AVG);

  private AggregateParser() {}

  /**
   * Reads a list, separated by commas.
   *
   * @throws io.spyhop.client.InvalidQueryException if the text is none
   */
  public static List<Aggregate> parse(String text) {
    return parts(text).stream().map(AggregateParser::aggregate).toList();
  }

  private static Aggregate aggregate(String text) {
    Matcher call = CALL.matcher(text);
    Function function =
        call.matches() ? FUNCTIONS.get(call.group(1).toUpperCase(Locale.ROOT)) : null;
    if (function == null) {
      throw new Complaint(CLAUSE, text)
          .about(
              "is no aggregate; they are count(*), count(column), count(distinct column),"
                  + " min(column), max(column), sum(column) and avg(column)");
    }
    String column = call.group(2);
    Matcher distinct = DISTINCT.matcher(column);
    if (function == Function.COUNT && column.equals("*")) {
      return Aggregate.count();
    }
    return function == Function.COUNT && distinct.matches()
        ? Aggregate.countDistinct(distinct.group(1))
        : new Aggregate(function, Optional.of(column));
  }

  /** What is between commas that are neither in parentheses nor in quotes. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0 && !quoted) {
        parts.add(text.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    parts.add(text.substring(begin).strip());
    return parts;
  }
}
