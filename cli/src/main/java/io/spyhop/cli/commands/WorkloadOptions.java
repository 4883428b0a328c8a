package io.spyhop.cli.commands;

import io.spyhop.cli.output.Json;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What commands have in common that load orders into an HBase of their own. */
final class WorkloadOptions {
  private static final int MAX_REGIONS = 1_000;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Regions of a table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results to this file too.")
  private Optional<Path> json;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep HBase's data in this directory, which must be empty or absent; without it the data"
              + " goes when the command ends.")
  private Optional<Path> keep;

  /** Refuses what cannot work before anything is started. */
  void check(CommandSpec spec, long rows) throws IOException {
    requirePositive(spec, "--rows", rows);
    if (regions < 1 || regions > Math.min(rows, MAX_REGIONS)) {
      throw new ParameterException(
          spec.commandLine(),
          "--regions " + regions + " is not in 1.." + Math.min(rows, MAX_REGIONS));
    }
    if (json.isPresent()) {
      Json.checkWritable(json.get());
    }
  }

  /** Refuses a number that must be 1 or more. */
  static void requirePositive(CommandSpec spec, String option, long value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " " + value + " is less than 1");
    }
  }

  static void requireNotNegative(CommandSpec spec, String option, long value) {
    if (value < 0) {
      throw new ParameterException(spec.commandLine(), option + " " + value + " is less than 0");
    }
  }

  int regions() {
    return regions;
  }

  LocalHBase startHBase() throws IOException {
    DataDirectory dir =
        keep.isPresent() ? DataDirectory.empty(keep.get()) : DataDirectory.temporary();
    return LocalHBase.start(dir, ServerPorts.FREE);
  }

  void write(Object report) throws IOException {
    if (json.isPresent()) {
      Json.write(json.get(), report);
    }
  }

  void sayWhatStays(LocalHBase hbase, PrintWriter out) {
    if (keep.isPresent()) {
      out.printf("The data stays in %1$s: spyhop server --dir %1$s%n", hbase.directory());
    }
  }
}
