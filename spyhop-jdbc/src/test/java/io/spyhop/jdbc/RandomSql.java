package io.spyhop.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random statements on the table of {@link PushedAnswersTest}. */
final class RandomSql {
  private static final List<String> NUMBERS = List.of("i", "l", "f", "x", "amount");
  private static final List<String> OTHERS =
      List.of("\"d:s\"", "\"e:s\"", "b", "t", "dated", "raw");
  private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;

  /** The values of the parameters of the last statement. */
  private final List<Object> parameters = new ArrayList<>();

  private boolean mayHaveParameters;

  RandomSql(Random random) {
    this.random = random;
  }

  /**
   * A statement.
   *
   * @param sql its text
   * @param parameters their values
   * @param ordered whether the order of its rows is said
   */
  record Statement(String sql, List<Object> parameters, boolean ordered) {}

  Statement next() {
    parameters.clear();
    mayHaveParameters = random.nextInt(4) == 0;
    String where = random.nextInt(6) == 0 ? "" : " WHERE " + condition(2);
    if (random.nextInt(3) == 0) {
      return new Statement(aggregate(where), new ArrayList<>(parameters), false);
    }
    boolean ordered = random.nextBoolean();
    String order = ordered ? order() : "";
    String sql = "SELECT " + columns() + " FROM mixed" + where + order;
    return new Statement(sql, new ArrayList<>(parameters), ordered);
  }

  private String order() {
    String by = random.nextInt(3) == 0 ? "" : pick(NUMBERS) + pick(List.of("", " DESC")) + ", ";
    String limit = random.nextBoolean() ? " LIMIT " + (1 + random.nextInt(20)) : "";
    String offset = random.nextInt(5) == 0 ? " OFFSET " + random.nextInt(5) : "";
    return " ORDER BY " + by + "rowkey" + limit + offset;
  }

  private String columns() {
    return switch (random.nextInt(4)) {
      case 0 -> "*";
      case 1 -> "rowkey";
      case 2 -> "rowkey, i + 1, UPPER(\"d:s\")";
      default ->
          IntStream.range(0, 1 + random.nextInt(4))
              .mapToObj(n -> column())
              .distinct()
              .collect(Collectors.joining(", "));
    };
  }

  private String aggregate(String where) {
    List<String> groups =
        IntStream.range(0, random.nextInt(4))
            .mapToObj(n -> pick(List.of("i", "b", "\"d:s\"", "dated")))
            .distinct()
            .toList();
    String figures =
        IntStream.range(0, 1 + random.nextInt(4))
            .mapToObj(n -> figure())
            .collect(Collectors.joining(", "));
    String by = String.join(", ", groups);
    return groups.isEmpty()
        ? "SELECT " + figures + " FROM mixed" + where
        : "SELECT " + by + ", " + figures + " FROM mixed" + where + " GROUP BY " + by;
  }

  private String figure() {
    return switch (random.nextInt(6)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + column() + ")";
      case 2 -> "COUNT(DISTINCT " + pick(NUMBERS) + ")";
      case 3 -> pick(List.of("MIN", "MAX")) + "(" + pick(NUMBERS) + ")";
      case 4 -> "AVG(" + pick(NUMBERS) + ")";
      default -> "SUM(" + pick(NUMBERS) + ")";
    };
  }

  private String column() {
    return random.nextInt(8) == 0 ? "rowkey" : random.nextBoolean() ? pick(NUMBERS) : pick(OTHERS);
  }

  private String condition(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return leaf();
    }
    return switch (random.nextInt(5)) {
      case 0, 1 -> "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
      case 2, 3 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
      default -> "NOT (" + condition(depth - 1) + ")";
    };
  }

  private String leaf() {
    return switch (random.nextInt(12)) {
      case 0 -> column() + pick(List.of(" IS NULL", " IS NOT NULL"));
      case 1 -> pick(NUMBERS) + " BETWEEN " + number() + " AND " + number();
      case 2 -> pick(NUMBERS) + " IN (" + number() + ", " + number() + ", " + number() + ")";
      case 3 ->
          "\"d:s\" IN ("
              + IntStream.range(0, 30).mapToObj(n -> text()).collect(Collectors.joining(", "))
              + ")";
      case 4 -> "\"d:s\" LIKE " + pick(List.of("'a%'", "'b%c'", "'_a%'", "'ab'", "'%'", "'a\\%'"));
      case 5 -> pick(List.of("\"d:s\"", "\"e:s\"")) + " " + pick(OPERATORS) + " " + text();
      case 6 -> pick(List.of("b", "NOT b", "b = TRUE", "b IS TRUE", "b <> FALSE"));
      case 7 -> "t " + pick(OPERATORS) + " TIMESTAMP '2020-01-0" + digit() + " 12:00:00.125'";
      case 8 -> "dated " + pick(OPERATORS) + " DATE '2020-01-0" + digit() + "'";
      case 9 -> "rowkey " + pick(OPERATORS) + " KEY_BYTES('row" + digit() + "')";
      case 10 -> "raw " + pick(OPERATORS) + " X'0" + digit() + "'";
      default -> pick(NUMBERS) + " " + pick(OPERATORS) + " " + number();
    };
  }

  private int digit() {
    return 1 + random.nextInt(9);
  }

  private String text() {
    String text = pick(List.of("", "a", "ab", "abc", "b", "bcc", "\u00e4\u20ac", "zz"));
    if (mayHaveParameters && random.nextBoolean()) {
      parameters.add(text);
      return "?";
    }
    return "'" + text + "'";
  }

  private String number() {
    int whole = random.nextInt(12) - 3;
    if (mayHaveParameters && random.nextBoolean()) {
      parameters.add(random.nextInt(10) == 0 ? null : whole);
      return "?";
    }
    return switch (random.nextInt(7)) {
      case 0 -> whole + ".5";
      case 1 -> whole + ".1";
      case 2 -> whole + "E0";
      case 3 -> "3000000000";
      case 4 -> "-99999999999999999999";
      default -> String.valueOf(whole);
    };
  }

  private <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
