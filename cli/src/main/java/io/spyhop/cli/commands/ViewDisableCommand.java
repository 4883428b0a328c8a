package io.spyhop.cli.commands;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code spyhop view disable}. */
@Command(
    name = "disable",
    description = {
      "Has scans read the HFiles of a column family one by one again.",
      "",
      "HBase opens the table's regions again.",
      ""
    })
final class ViewDisableCommand extends ClientCommand {
  @Mixin private ViewTarget target;

  @Override
  int run(Spyhop spyhop) throws IOException {
    spyhop.admin().setSortedView(target.table(), target.family(), false);
    out().printf("Stores of %s no longer have sorted views.%n", target);
    return ExitCode.OK;
  }
}
