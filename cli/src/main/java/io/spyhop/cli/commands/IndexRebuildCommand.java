package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spyhop index rebuild}. */
@Command(
    name = "rebuild",
    description = {
      "Makes an index anew, as if it were dropped and created.",
      "",
      "A global index needs it when its table is gone or another's, as after a clone of its base"
          + " table. Queries are right meanwhile.",
      ""
    })
final class IndexRebuildCommand extends ClientCommand {
  @Mixin private IndexName target;

  @Option(
      names = "--wait",
      arity = "0..1",
      paramLabel = "SECONDS",
      fallbackValue = "600",
      description =
          "Wait until the index is active, for so many seconds at most (600 if no number is"
              + " given).")
  private Optional<Integer> wait;

  @Override
  void check() {
    wait.ifPresent(seconds -> PositiveNumber.require(spec(), "--wait", seconds));
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    PrintWriter out = out();
    long start = System.nanoTime();
    IndexAdmin admin = spyhop.admin();
    admin.rebuildIndex(target.table(), target.name());
    out.printf("Index '%s' of table '%s' is being built again.%n", target.name(), target.table());
    if (wait.isPresent()) {
      admin.waitUntilActive(target.table(), target.name(), Duration.ofSeconds(wait.get()));
      out.printf("It is active after %s.%n", Texts.since(start));
    }
    return ExitCode.OK;
  }
}
