package io.spyhop.cli.commands;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.HtmlPage;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Layout;
import io.spyhop.cli.output.Results;
import io.spyhop.cli.output.Texts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs a benchmark: checks what is asked for, measures, prints, and writes files. Fails if answers
 * differ.
 */
abstract class Benchmark implements Callable<Integer> {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results to this file too.")
  private Optional<Path> json;

  @Spec private CommandSpec spec;

  private long start;

  /** Refuses what cannot work before anything is started. */
  abstract void check();

  /** Sets up, measures, and tears down. */
  abstract Row measure() throws IOException;

  /** Prints what was measured. */
  abstract void print(Row report);

  /** A page for tables and plots, and their layout. */
  Optional<Page> page() {
    return Optional.empty();
  }

  /** A file for tables and plots. */
  record Page(Path file, String title, Layout layout) {}

  /** Whether all was as it should be; says so if not. */
  boolean verdict(Row report) {
    return report.allEqual();
  }

  @Override
  public final Integer call() throws IOException {
    start = System.nanoTime();
    check();
    for (Optional<Path> file : List.of(json, page().map(Page::file))) {
      if (file.isPresent()) {
        Json.checkWritable(file.get());
      }
    }
    Row report = measure();
    print(report);
    write(report);
    if (page().isPresent()) {
      Page page = page().get();
      Files.writeString(
          page.file(),
          HtmlPage.of(page.title(), List.of(Results.here(page.layout().section(report)))));
    }
    out().printf("All done after %s.%n", since());
    out().flush();
    return verdict(report) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  final void write(Row report) throws IOException {
    if (json.isPresent()) {
      Json.write(json.get(), report);
    }
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** The time since the start, as text. */
  final String since() {
    return Texts.since(start);
  }

  final void println(List<String> lines) {
    lines.forEach(out()::println);
    out().flush();
  }

  /** Bars for who watches, lines for who reads the output later. */
  final Progress.Factory steps() {
    Progress.Factory bars = new Bars();
    return (task, total) -> {
      out().printf("After %s: %s%n", since(), task);
      out().flush();
      return bars.start(task, total);
    };
  }

  /** Refuses a number that is too small. */
  final void atLeast(String option, long value, long least) {
    if (value < least) {
      throw refusal(option + " " + value + " is less than " + least);
    }
  }

  final ParameterException refusal(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
