package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A column of a table of results. Immutable.
 *
 * @param title as {@link TextTable} takes it
 * @param cell what the column shows of a row
 */
record Column(String title, Function<Row, Object> cell) {
  /** The form of a shown number. */
  interface Format {
    String of(double number);
  }

  /** On the left, as it is. */
  static Column text(String title, String path) {
    return new Column(title, row -> row.text(path));
  }

  /** On the right, as it is. */
  static Column right(String title, String path) {
    return text(">" + title, path);
  }

  static Column of(String title, String path, Format format) {
    return of(title, row -> row.number(path), format);
  }

  /** A number that is computed; a dash if it is none. */
  static Column of(String title, ToDoubleFunction<Row> figure, Format format) {
    return new Column(
        ">" + title,
        row -> {
          double number = figure.applyAsDouble(row);
          return Double.isNaN(number) ? "-" : format.of(number);
        });
  }

  /** Whether answers were the same. */
  static Column equal() {
    return new Column("equal", row -> Texts.answer(Boolean.TRUE.equals(row.at("equal"))));
  }
}
