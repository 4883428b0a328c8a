package io.spyhop.cli.commands;

import io.spyhop.core.schema.Boundaries;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the kind of an index, and for the upkeep of a global one. */
final class GlobalOptions {
  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "local",
      description =
          "local: index files beside each region's files; global: a table of its own, for"
              + " conditions that few rows satisfy; stats: no index, but statistics by which"
              + " queries leave out regions, as indexes of the other kinds have them, too (default:"
              + " ${DEFAULT-VALUE}).")
  private IndexKind kind;

  @Option(
      names = "--maintenance",
      paramLabel = "HOW",
      description =
          "Of a global index: deferred, a write adds its entry, and obsolete ones are repaired"
              + " later; or sync, a write has them deleted (default: deferred).")
  private Optional<Maintenance> maintenance;

  @Option(
      names = "--repair",
      paramLabel = "HOW",
      description =
          "Of a global index: streaming, flushes and compactions find obsolete entries; staged,"
              + " compactions have their inputs read again; off, only reads do (default:"
              + " streaming).")
  private Optional<Repair> repair;

  @Option(
      names = "--boundaries",
      paramLabel = "WHERE",
      description =
          "Of a global index: values, its table is split at values, which everybody sees who uses"
              + " the cluster; or none, its table is one region, as always for encrypted families"
              + " and where visibility labels are used (default: values).")
  private Optional<Boundaries> boundaries;

  @Option(
      names = "--splits",
      split = ",",
      paramLabel = "VALUE",
      description =
          "Of a global index: values at which its table is split at first (default: as a sample"
              + " of the table's values suggests).")
  private List<String> splits = List.of();

  void applyTo(IndexDefinition.Builder index) {
    index.kind(kind);
    maintenance.ifPresent(index::maintenance);
    repair.ifPresent(index::repair);
    boundaries.ifPresent(index::boundaries);
  }

  /** Refuses what is a local index's alone and has a default. */
  void checkFlags(Optional<Integer> flags, CommandSpec spec) {
    boolean hasFlags =
        switch (kind) {
          case LOCAL -> true;
          case GLOBAL, STATS -> false;
        };
    if (!hasFlags && flags.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--flags: only a local index has them; leave it out");
    }
  }

  /** Values to split at, empty if a sample shall say. */
  List<String> splits(CommandSpec spec) {
    if (!kind.hasTable() && !splits.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--splits: only a global index is split; add --kind global");
    }
    return splits;
  }
}
