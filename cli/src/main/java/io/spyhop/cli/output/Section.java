package io.spyhop.cli.output;

import java.util.List;

/**
 * A part of a page: what one run of a benchmark measured.
 *
 * @param heading what was measured
 * @param command that measured it
 * @param tables the numbers
 * @param plots pieces of SVG
 * @param settings what was asked for, as JSON shows it
 */
public record Section(
    String heading, String command, List<TitledTable> tables, List<String> plots, Object settings) {
  /** Copies the lists. */
  public Section {
    tables = List.copyOf(tables);
    plots = List.copyOf(plots);
  }
}
