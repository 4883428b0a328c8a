package io.spyhop.cli.output;

import java.io.IOException;
import java.nio.file.Path;

/** A file holds no results of a benchmark. The message is one line for the user. */
public final class InvalidResultsException extends IOException {
  private static final long serialVersionUID = 1;

  InvalidResultsException(Path file, String why, Throwable cause) {
    super(
        "'"
            + file
            + "' has no results of a benchmark ("
            + why
            + "): name files that bench mdrq, deli or pruning wrote with --json",
        cause);
  }
}
