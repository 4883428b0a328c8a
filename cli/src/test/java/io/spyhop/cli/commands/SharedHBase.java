package io.spyhop.cli.commands;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * One HBase for all tests of commands in this JVM, which ends with the last of them. Register it in
 * a static field.
 */
final class SharedHBase implements BeforeAllCallback {
  private Running running;

  private static final class Running implements CloseableResource {
    private final LocalHBase hbase;

    Running() {
      try {
        hbase = LocalHBase.start(DataDirectory.temporary(), ServerPorts.FREE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      hbase.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(Namespace.create(SharedHBase.class))
            .getOrComputeIfAbsent(Running.class, k -> new Running(), Running.class);
  }

  /** A connection of the caller's own. */
  Connection connect() throws IOException {
    return running.hbase.connect();
  }

  /** What {@code --zookeeper} takes. */
  String connectString() {
    return running.hbase.connectString();
  }

  /** Runs a command that talks to this HBase. */
  Run run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--zookeeper", connectString()));
    return Cli.run(all.toArray(new String[0]));
  }

  /** Runs a command that must succeed; returns the lines that it prints. */
  List<String> lines(String... args) {
    Run run = run(args);
    if (run.code() != 0) {
      throw new AssertionError(String.join(" ", args) + ": " + run.code() + " " + run.err());
    }
    return run.out().lines().toList();
  }
}
