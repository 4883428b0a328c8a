package io.spyhop.bench;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Figures by name, in the order of the JSON output: numbers, texts, Booleans, settings, rows, and
 * lists of rows. All of a benchmark's report is one row. A path names a figure of a row within, as
 * {@code settings/rows}. Not thread-safe.
 */
public final class Row extends AbstractMap<String, Object> {
  private static final String EQUAL = "equal";

  private final Map<String, Object> figures;

  private Row(Map<String, Object> figures) {
    this.figures = figures;
  }

  /** A row of one figure, to which others are added. */
  public static Row of(String name, Object value) {
    return new Row(new LinkedHashMap<>()).and(name, value);
  }

  /** A row of figures that were read from JSON. */
  public static Row of(Map<?, ?> read) {
    Row row = new Row(new LinkedHashMap<>());
    read.forEach((name, value) -> row.and(name.toString(), value));
    return row;
  }

  /** Adds a figure, or replaces it. */
  public Row and(String name, Object value) {
    figures.put(name, value);
    return this;
  }

  /** Adds all figures of another row. */
  public Row and(Row others) {
    figures.putAll(others.figures);
    return this;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return figures.entrySet();
  }

  /** What is there, or null. */
  public Object at(String path) {
    Object found = this;
    for (String name : path.split("/", -1)) {
      found = found instanceof Map<?, ?> row ? row.get(name) : null;
    }
    return found;
  }

  /** A number; not a number where there is none. */
  public double number(String path) {
    return at(path) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** How many times as much; not a number where there is nothing to compare with. */
  public double ratio(String path, String base) {
    double divisor = number(base);
    return divisor == 0 ? Double.NaN : number(path) / divisor;
  }

  /** Anything as text. */
  public String text(String path) {
    return String.valueOf(at(path));
  }

  /** The row that is there. */
  public Row row(String path) {
    return asRow(path, at(path));
  }

  /**
   * The rows of the list that is there.
   *
   * @throws IllegalArgumentException if there is none
   */
  public List<Row> rows(String path) {
    if (at(path) instanceof List<?> rows) {
      return rows.stream().map(row -> asRow(path, row)).toList();
    }
    throw new IllegalArgumentException("'" + path + "' is no list");
  }

  private static Row asRow(String path, Object value) {
    if (value instanceof Row row) {
      return row;
    }
    if (value instanceof Map<?, ?> read) {
      return of(read);
    }
    throw new IllegalArgumentException("'" + path + "' has no figures");
  }

  /** Whether no row within says that answers differ. */
  public boolean allEqual() {
    return allEqual(this);
  }

  private static boolean allEqual(Object value) {
    if (value instanceof Map<?, ?> row) {
      return !Boolean.FALSE.equals(row.get(EQUAL)) && allEqual(row.values());
    }
    return !(value instanceof Iterable<?> all) || allIn(all);
  }

  private static boolean allIn(Iterable<?> values) {
    for (Object value : values) {
      if (!allEqual(value)) {
        return false;
      }
    }
    return true;
  }
}
