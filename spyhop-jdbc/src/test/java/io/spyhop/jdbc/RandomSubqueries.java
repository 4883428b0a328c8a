package io.spyhop.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random statements with subqueries over {@link SubqueryAnswersTest}'s tables. */
final class RandomSubqueries {
  private static final List<String> TABLES = List.of("ta", "tb", "ta", "tb", "tc");
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;
  private int aliases;

  /** Whether the statement is to have nothing but what Calcite joins. */
  private boolean plain;

  RandomSubqueries(Random random) {
    this.random = random;
  }

  /** A statement; each of its columns is a number. */
  String next() {
    aliases = 0;
    plain = random.nextInt(3) == 0;
    String one = select(2);
    return random.nextInt(8) > 0
        ? one
        : one + pick(List.of(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ")) + select(1);
  }

  private String select(int depth) {
    List<String> scope = new ArrayList<>();
    String from = source(scope, depth);
    String where = " WHERE " + condition(scope, depth);
    if (random.nextInt(5) == 0) {
      String key = column(scope);
      return "SELECT COUNT(*) + COALESCE("
          + key
          + ", 50) FROM "
          + from
          + where
          + " GROUP BY "
          + key;
    }
    return "SELECT "
        + pick(List.of("", "DISTINCT "))
        + number(scope, depth)
        + " FROM "
        + from
        + where;
  }

  private String source(List<String> scope, int depth) {
    StringBuilder from = new StringBuilder(table(scope, depth));
    for (int n = random.nextInt(3); n > 0; n--) {
      List<String> right = new ArrayList<>();
      String table = table(right, depth);
      String on = column(scope) + " = " + column(right);
      scope.addAll(right);
      String beside = random.nextInt(3) == 0 ? " AND " + leaf(scope) : "";
      from.append(
          switch (random.nextInt(5)) {
            case 0 -> " CROSS JOIN " + table;
            case 1 -> (plain ? " JOIN " : " RIGHT JOIN ") + table + " ON " + on;
            case 2, 3 -> (plain ? " JOIN " : " LEFT JOIN ") + table + " ON " + on + beside;
            default -> " JOIN " + table + " ON " + on + beside;
          });
    }
    return from.toString();
  }

  /** A table, or columns of one in another order. */
  private String table(List<String> scope, int depth) {
    String alias = "x" + aliases++;
    String table = pick(TABLES);
    scope.add(alias + ".i");
    scope.add(alias + ".l");
    if (depth == 0 || random.nextInt(3) > 0) {
      return table + " AS " + alias;
    }
    return switch (random.nextInt(3)) {
      case 0 -> "(SELECT s, l + 1 AS i, i AS l FROM " + table + ") AS " + alias;
      case 1 -> "(SELECT s, COUNT(*) AS l, i FROM " + table + " GROUP BY s, i) AS " + alias;
      default -> "(SELECT l AS i, s, i AS l FROM " + table + " WHERE i > 0) AS " + alias;
    };
  }

  private String condition(List<String> scope, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 2)) {
      case 0 -> leaf(scope);
      case 1 -> "(" + leaf(scope) + pick(List.of(" AND ", " OR ")) + leaf(scope) + ")";
      case 2 ->
          "("
              + condition(scope, depth - 1)
              + pick(List.of(" AND ", " OR "))
              + condition(scope, depth - 1)
              + ")";
      case 3 -> "NOT (" + condition(scope, depth - 1) + ")";
      default -> subquery(scope, depth - 1);
    };
  }

  private String subquery(List<String> scope, int depth) {
    return switch (plain ? random.nextInt(3) : random.nextInt(5)) {
      case 0 -> pick(List.of("", "NOT ")) + "EXISTS (" + inner("1", scope, depth) + ")";
      case 1 -> column(scope) + " " + pick(COMPARISONS) + " " + total(scope, depth);
      case 2 ->
          column(scope)
              + pick(plain ? List.of(" IN ") : List.of(" IN ", " NOT IN "))
              + "("
              + inner(null, scope, depth)
              + ")";
      default ->
          column(scope)
              + pick(List.of(" = ANY", " < ANY", " >= ALL", " <> ALL"))
              + "("
              + inner(null, scope, depth)
              + ")";
    };
  }

  private String total(List<String> scope, int depth) {
    String figure = pick(List.of("COUNT(*)", "MAX(%s)", "MIN(%s)", "SUM(%s)", "COUNT(%s)"));
    return "(" + inner(figure, scope, depth) + ")";
  }

  /** Rows of a table by a condition that most often depends on the row around it. */
  private String inner(String selected, List<String> scope, int depth) {
    String alias = "y" + aliases++;
    List<String> own = List.of(alias + ".i", alias + ".l");
    List<String> all = new ArrayList<>(own);
    all.addAll(scope);
    String link =
        pick(own)
            + " "
            + pick(plain || random.nextBoolean() ? List.of("=") : COMPARISONS)
            + " "
            + column(scope);
    String where =
        switch (plain ? 2 : random.nextInt(4)) {
          case 0 -> condition(own, depth);
          case 1 -> condition(all, depth);
          default ->
              link + (random.nextBoolean() ? " AND " + condition(own, plain ? 0 : depth) : "");
        };
    String what = selected == null ? column(own) : selected.replace("%s", column(own));
    return "SELECT " + what + " FROM " + pick(TABLES) + " AS " + alias + " WHERE " + where;
  }

  private String leaf(List<String> scope) {
    return switch (random.nextInt(5)) {
      case 0 -> column(scope) + pick(List.of(" IS NULL", " IS NOT NULL"));
      case 1 -> column(scope) + " " + pick(COMPARISONS) + " COALESCE(" + column(scope) + ", 1)";
      case 2 -> column(scope) + " " + pick(COMPARISONS) + " " + random.nextInt(4);
      default -> column(scope) + " " + pick(COMPARISONS) + " " + column(scope);
    };
  }

  private String number(List<String> scope, int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> column(scope) + " + " + total(scope, depth - 1);
      case 1 -> "CASE WHEN " + condition(scope, depth) + " THEN " + column(scope) + " ELSE 7 END";
      default -> column(scope);
    };
  }

  private String column(List<String> scope) {
    return pick(scope);
  }

  private <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
