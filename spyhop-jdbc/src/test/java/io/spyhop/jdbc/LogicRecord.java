package io.spyhop.jdbc;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A record of SQLite's sqllogictest: a statement, or a query with its answer.
 *
 * @param sql what is run
 * @param types of a query's columns: I, R or T each; empty for a statement
 * @param order "nosort", "rowsort" or "valuesort": how an answer is compared
 * @param answer its values, one to a line, or their number and hash
 */
record LogicRecord(String sql, String types, String order, List<String> answer) {
  private static final Pattern HASHED = Pattern.compile("\\d+ values hashing to [0-9a-f]{32}");

  /** Those that every database shall run. */
  static List<LogicRecord> all(String file) {
    List<LogicRecord> records = new ArrayList<>();
    for (String block : file.replace("\r", "").split("\n\\s*\n")) {
      List<String> lines =
          new ArrayList<>(block.lines().filter(l -> !l.startsWith("#") && !l.isBlank()).toList());
      boolean only = lines.removeIf(l -> l.startsWith("onlyif"));
      lines.removeIf(l -> l.startsWith("skipif") || l.startsWith("hash-threshold"));
      if (!lines.isEmpty() && lines.get(0).startsWith("halt") && !only) {
        break;
      }
      if (!lines.isEmpty() && !only) {
        of(lines).ifPresent(records::add);
      }
    }
    return records;
  }

  private static Optional<LogicRecord> of(List<String> lines) {
    String[] words = lines.get(0).split("\\s+");
    int end = lines.indexOf("----");
    List<String> sql = lines.subList(1, end < 0 ? lines.size() : end);
    List<String> answer = end < 0 ? List.of() : lines.subList(end + 1, lines.size());
    String text = String.join("\n", sql);
    return switch (words[0]) {
      case "statement" ->
          words[1].equals("ok")
              ? Optional.of(new LogicRecord(text, "", "", List.of()))
              : Optional.empty(); // what must fail elsewhere may be right here
      case "query" ->
          Optional.of(
              new LogicRecord(text, words[1], words.length > 2 ? words[2] : "nosort", answer));
      default -> throw new IllegalArgumentException(String.join("\n", lines));
    };
  }

  boolean isQuery() {
    return !types.isEmpty();
  }

  /** The answer of a database, as the record has it. */
  List<String> answer(ResultSet rows) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 0; i < types.length(); i++) {
        row.add(text(types.charAt(i), rows.getObject(i + 1)));
      }
      all.add(row);
    }
    if (order.equals("rowsort")) {
      all.sort(Comparator.comparing(row -> String.join("\n", row)));
    }
    List<String> values = new ArrayList<>();
    all.forEach(values::addAll);
    if (order.equals("valuesort")) {
      Collections.sort(values);
    }
    return answer.size() == 1 && HASHED.matcher(answer.get(0)).matches()
        ? List.of(values.size() + " values hashing to " + hash(values))
        : values;
  }

  private static String text(char type, Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof Boolean truth) {
      return truth ? "1" : "0";
    }
    return switch (type) {
      case 'I' -> value instanceof Number n ? Long.toString(n.longValue()) : "" + value;
      case 'R' ->
          value instanceof Number n
              ? String.format(Locale.ROOT, "%.3f", n.doubleValue())
              : "" + value;
      default -> value.toString().isEmpty() ? "(empty)" : value.toString();
    };
  }

  private static String hash(List<String> values) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      for (String value : values) {
        md5.update((value + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return String.format("%032x", new BigInteger(1, md5.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
