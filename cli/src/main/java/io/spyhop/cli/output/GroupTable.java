package io.spyhop.cli.output;

import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The aggregates of a query, a line a group: first the values of the grouping columns, then those
 * of the aggregates. Immutable.
 *
 * @param grouping how many of the titles are columns
 * @param titles as they were asked for
 * @param lines numbers, texts, Booleans, and null where there is no value
 */
public record GroupTable(int grouping, List<String> titles, List<List<Object>> lines) {
  private static final String ABSENT = "NULL";

  /** The answer to an aggregation. */
  public static GroupTable of(Aggregation asked, AggregateResult answer) {
    List<String> titles = new ArrayList<>(asked.groupBy());
    asked.aggregates().forEach(a -> titles.add(a.toString()));
    List<List<Object>> lines = new ArrayList<>();
    for (AggregateResult.Group group : answer.groups()) {
      List<Object> line = new ArrayList<>();
      group.key().forEach(v -> line.add(shown(v)));
      group.values().forEach(v -> line.add(shown(v)));
      lines.add(line);
    }
    return new GroupTable(asked.groupBy().size(), titles, lines);
  }

  private static Object shown(Object value) {
    if (value instanceof byte[] bytes) {
      return Bytes.toStringBinary(bytes);
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }

  /** Prints the groups. */
  public void print(RowFormat format, PrintWriter out) {
    List<String> all =
        switch (format) {
          case TEXT -> text();
          case JSON -> lines.stream().map(line -> Json.line(named(line))).toList();
          case CSV -> csv();
        };
    all.forEach(out::println);
  }

  private List<String> text() {
    String[] header = new String[titles.size()];
    for (int i = 0; i < header.length; i++) {
      header[i] = (i < grouping ? "" : ">") + titles.get(i);
    }
    TextTable table = new TextTable(header);
    lines.forEach(line -> table.add(line.stream().map(GroupTable::inText).toArray()));
    return table.lines();
  }

  private static String inText(Object value) {
    return value instanceof BigDecimal d
        ? d.toPlainString()
        : value == null ? ABSENT : CellText.onOneLine(value);
  }

  private Map<String, Object> named(List<Object> line) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < titles.size(); i++) {
      named.putIfAbsent(titles.get(i), line.get(i));
    }
    return named;
  }

  private List<String> csv() {
    List<String> all = new ArrayList<>();
    all.add(titles.stream().map(RowFormat::quoted).collect(Collectors.joining(",")));
    for (List<Object> line : lines) {
      all.add(
          line.stream()
              .map(v -> v == null ? "" : RowFormat.quoted(inText(v)))
              .collect(Collectors.joining(",")));
    }
    return all;
  }
}
