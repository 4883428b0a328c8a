package io.spyhop.cli.commands;

import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.Difference;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Option;

/** Loads orders into an HBase of its own, asks for some of them, and compares the answers. */
abstract class OrdersBenchmark extends Benchmark {
  private static final int MAX_REGIONS = 1_000;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Regions of a table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep HBase's data in this directory, which must be empty or absent; without it the data"
              + " goes when the command ends.")
  private Optional<Path> keep;

  private List<Difference> differences = List.of();

  final void check(long rows) {
    atLeast("--rows", rows, 1);
    if (regions < 1 || regions > Math.min(rows, MAX_REGIONS)) {
      throw refusal("--regions " + regions + " is not in 1.." + Math.min(rows, MAX_REGIONS));
    }
  }

  final int regions() {
    return regions;
  }

  /** Measures on a running HBase. */
  abstract Row measure(LocalHBase hbase, Connection connection) throws IOException;

  @Override
  final Row measure() throws IOException {
    DataDirectory dir =
        keep.isPresent() ? DataDirectory.empty(keep.get()) : DataDirectory.temporary();
    try (LocalHBase hbase = LocalHBase.start(dir, ServerPorts.FREE);
        Connection connection = hbase.connect()) {
      out().printf("HBase is up after %s, data in %s%n", since(), hbase.directory());
      return measure(hbase, connection);
    }
  }

  /** Remembers which answers differ. */
  final void compared(List<Difference> found) {
    differences = found;
  }

  @Override
  final boolean verdict(Row report) {
    keep.ifPresent(dir -> out().printf("The data stays in %1$s: spyhop server --dir %1$s%n", dir));
    tell(differences, err());
    return differences.isEmpty();
  }

  /** Says which answers differ. */
  static void tell(List<Difference> differences, PrintWriter err) {
    for (Difference d : differences) {
      err.println("spyhop: the answers to " + d.query() + " differ: " + d.what());
    }
  }
}
