package io.spyhop.cli.commands;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code spyhop view disable}. */
@Command(
    name = "disable",
    description = {
      "Has scans read the HFiles of a column family one by one again.",
      "",
      "HBase opens the table's regions again.",
      ""
    })
final class ViewDisableCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Mixin private ViewTarget target;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      spyhop.admin().setSortedView(target.table(), target.family(), false);
    }
    spec.commandLine().getOut().printf("Stores of %s no longer have sorted views.%n", target);
    return ExitCode.OK;
  }
}
