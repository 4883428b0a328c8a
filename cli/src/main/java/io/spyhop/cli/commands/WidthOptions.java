package io.spyhop.cli.commands;

import picocli.CommandLine.Option;

/** The option that says how wide tables may be. */
final class WidthOptions {
  /** The usual width. */
  static final int WIDTH = 120;

  @Option(
      names = "--wide",
      description =
          "Show all columns; without it, details are left out where lines have more than "
              + WIDTH
              + " characters.")
  private boolean wide;

  /** The characters of a line, if there is a way. */
  int width() {
    return wide ? Integer.MAX_VALUE : WIDTH;
  }
}
