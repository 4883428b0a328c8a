package io.spyhop.cli.commands;

import io.spyhop.cli.output.Layout;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for a page of what a benchmark has measured. */
final class PageOption {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write tables and plots to this file, one HTML page.")
  private Optional<Path> report;

  /** The page, if it was asked for. */
  Optional<Benchmark.Page> of(String title, Layout layout) {
    return report.map(file -> new Benchmark.Page(file, title, layout));
  }
}
