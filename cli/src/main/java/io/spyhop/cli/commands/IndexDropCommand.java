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

/** {@code spyhop index drop}. */
@Command(
    name = "drop",
    description = {
      "Drops an index. The table's data stays as it is; the index files go in the background.",
      ""
    })
final class IndexDropCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Mixin private IndexName target;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      spyhop.admin().dropIndex(target.table(), target.name());
    }
    spec.commandLine()
        .getOut()
        .printf("Dropped index '%s' of table '%s'.%n", target.name(), target.table());
    return ExitCode.OK;
  }
}
