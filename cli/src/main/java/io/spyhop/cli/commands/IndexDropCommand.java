package io.spyhop.cli.commands;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop index drop}. */
@Command(
    name = "drop",
    description = {
      "Drops an index. The table's data stays as it is; the index files go in the background.",
      "",
      "With --orphan: drops a table that an index has left, see 'index list --orphans'.",
      ""
    })
final class IndexDropCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

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

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    boolean named = table != null && name != null;
    if (named == (orphan != null) || orphan != null && table != null) {
      throw new ParameterException(
          spec.commandLine(), "Give either a TABLE and a NAME, or --orphan INDEXTABLE");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      if (named) {
        spyhop.admin().dropIndex(table, name);
        out.printf("Dropped index '%s' of table '%s'.%n", name, table);
      } else {
        requireOrphan(spyhop.admin());
        spyhop.admin().dropOrphan(orphan);
        out.printf("Dropped index table '%s'.%n", orphan);
      }
    }
    return ExitCode.OK;
  }

  private void requireOrphan(IndexAdmin admin) throws IOException {
    if (admin.orphans().stream().noneMatch(o -> o.table().equals(orphan))) {
      throw new ParameterException(
          spec.commandLine(),
          "'"
              + orphan
              + "' is no orphaned index table; 'index list --orphans' lists those that are, and"
              + " 'index drop TABLE NAME' drops an index that a table has");
    }
  }
}
