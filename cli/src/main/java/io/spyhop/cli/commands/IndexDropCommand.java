package io.spyhop.cli.commands;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code spyhop index drop}. */
@Command(
    name = "drop",
    description = {
      "Drops an index. The table's data stays as it is; the index files go in the background.",
      "",
      "With --orphan: drops a table that an index has left, see 'index list --orphans'.",
      ""
    })
final class IndexDropCommand extends ClientCommand {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      arity = "0..1",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Parameters(index = "1", paramLabel = "NAME", arity = "0..1", description = "The index's name.")
  private String name;

  @Option(
      names = "--orphan",
      paramLabel = "INDEXTABLE",
      converter = TableNameConverter.class,
      description = "Drop this index table, which no definition names.")
  private TableName orphan;

  @Override
  void check() {
    if (isNamed() == (orphan != null) || orphan != null && table != null) {
      throw new ParameterException(
          spec().commandLine(), "Give either a TABLE and a NAME, or --orphan INDEXTABLE");
    }
  }

  private boolean isNamed() {
    return table != null && name != null;
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    if (isNamed()) {
      spyhop.admin().dropIndex(table, name);
      out().printf("Dropped index '%s' of table '%s'.%n", name, table);
    } else {
      requireOrphan(spyhop.admin());
      spyhop.admin().dropOrphan(orphan);
      out().printf("Dropped index table '%s'.%n", orphan);
    }
    return ExitCode.OK;
  }

  private void requireOrphan(IndexAdmin admin) throws IOException {
    if (admin.orphans().stream().noneMatch(o -> o.table().equals(orphan))) {
      throw new ParameterException(
          spec().commandLine(),
          "'"
              + orphan
              + "' is no orphaned index table; 'index list --orphans' lists those that are, and"
              + " 'index drop TABLE NAME' drops an index that a table has");
    }
  }
}
