package io.spyhop.cli.commands;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code spyhop view enable}. */
@Command(
    name = "enable",
    description = {
      "Has scans read the HFiles of a column family through sorted views.",
      "",
      "HBase opens the table's regions again.",
      ""
    })
final class ViewEnableCommand extends ClientCommand {
  @Mixin private ViewTarget target;

  @Override
  int run(Spyhop spyhop) throws IOException {
    spyhop.admin().setSortedView(target.table(), target.family(), true);
    out().printf("Stores of %s have sorted views.%n", target);
    return ExitCode.OK;
  }
}
