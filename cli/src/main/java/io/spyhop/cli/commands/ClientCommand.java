package io.spyhop.cli.commands;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a command on a connection to a cluster. */
abstract class ClientCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;
  @Spec private CommandSpec spec;

  /** Refuses what cannot work before the cluster is asked. */
  void check() {}

  /**
   * Asks the cluster.
   *
   * @return the exit code
   */
  abstract int run(Spyhop spyhop) throws IOException;

  @Override
  public final Integer call() throws IOException {
    check();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      return run(spyhop);
    }
  }

  final CommandSpec spec() {
    return spec;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
