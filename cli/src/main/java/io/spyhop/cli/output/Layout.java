package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shows the report of a benchmark as tables of text, and as a part of a page. Immutable. */
public abstract class Layout {
  private final String command;
  private final String heading;
  private final List<String> keys;

  /**
   * @param command whose reports these are
   * @param heading of the part of a page
   * @param keys that no other benchmark's reports have all of
   */
  Layout(String command, String heading, String... keys) {
    this.command = command;
    this.heading = heading;
    this.keys = List.of(keys);
  }

  boolean isOf(Row report) {
    return report.keySet().containsAll(keys);
  }

  /** All tables as text, one after the other. */
  public final List<String> lines(Row report) {
    return TitledTable.lines(tables(report));
  }

  abstract List<TitledTable> tables(Row report);

  /** The papers' own figures beside those of the report. */
  List<TitledTable> besidePaper(Row report) {
    return List.of();
  }

  abstract List<Plot> plots(Row report);

  /** What was asked for, as JSON shows it. */
  Object settings(Row report) {
    return report.at("settings");
  }

  /**
   * The part of a page.
   *
   * @throws IOException if a plot cannot be drawn
   * @throws IllegalArgumentException if it is no report of the benchmark
   */
  public final Section section(Row report) throws IOException {
    List<TitledTable> tables = new ArrayList<>(besidePaper(report));
    tables.addAll(tables(report));
    List<String> svgs = new ArrayList<>();
    for (Plot plot : plots(report)) {
      svgs.add(plot.svg());
    }
    return new Section(heading, command, tables, svgs, settings(report));
  }

  /** A table of figures of a paper, and of those measured here. */
  static TitledTable besidePaper(Row... figures) {
    return TitledTable.of(
        "Beside the paper",
        Arrays.asList(figures),
        Column.text("figure", "figure"),
        Column.of("paper", "paper", Texts::ratio),
        Column.of("here", "here", Texts::ratio));
  }

  static Row besidePaper(String figure, double paper, double here) {
    return Row.of("figure", figure).and("paper", paper).and("here", here);
  }
}
