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

/** {@code spyhop view status}. */
@Command(
    name = "status",
    description = {
      "Says whether a column family has the option of sorted views.",
      "",
      "How many scans read one, and what views take, the servers count: spyhopViewScans,"
          + " spyhopViewBytes (docs/views.md).",
      ""
    })
final class ViewStatusCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Mixin private ViewTarget target;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      boolean on = spyhop.admin().hasSortedView(target.table(), target.family());
      spec.commandLine().getOut().printf("Sorted views of %s are %s.%n", target, on ? "on" : "off");
    }
    return ExitCode.OK;
  }
}
