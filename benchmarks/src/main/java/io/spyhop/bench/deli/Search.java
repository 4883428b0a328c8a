package io.spyhop.bench.deli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A question for rows by values.
 *
 * @param columns of which each must have one of its values
 * @param limit how many rows are asked for
 */
record Search(Map<String, List<Long>> columns, int limit) {
  /** For all rows. */
  static Search of(Map<String, List<Long>> columns) {
    return new Search(columns, Integer.MAX_VALUE);
  }

  boolean isLimited() {
    return limit < Integer.MAX_VALUE;
  }

  /** The condition as a text. */
  String condition() {
    return new TreeMap<>(columns)
        .entrySet().stream()
            .map(c -> c.getKey() + values(c.getValue()))
            .collect(Collectors.joining(" AND "));
  }

  private static String values(List<Long> values) {
    return values.size() == 1
        ? " = " + values.get(0)
        : values.stream().map(String::valueOf).collect(Collectors.joining(", ", " IN (", ")"));
  }
}
