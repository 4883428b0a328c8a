package io.spyhop.cli.commands;

import io.spyhop.cli.output.HtmlPage;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop report}. */
@Command(
    name = "report",
    description = {
      "Puts the results of benchmarks into one HTML page of tables and plots, beside the papers'"
          + " figures.",
      ""
    })
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RESULTS.json",
      arity = "1..*",
      description =
          "What 'bench mdrq', 'deli', 'dynahash', 'pruning', 'order' or 'remix' wrote with --json.")
  private List<Path> results;

  @Option(names = "--out", required = true, paramLabel = "FILE", description = "The page.")
  private Path page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Json.checkWritable(page);
    List<Results> read = new ArrayList<>();
    for (Path file : results) {
      Json.checkReadable(file);
      read.add(Results.read(file));
    }
    Files.writeString(page, HtmlPage.of("Spyhop, measured", read));
    spec.commandLine().getOut().printf("%d results are in '%s'.%n", read.size(), page);
    return ExitCode.OK;
  }
}
