package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.OrphanTables.Orphan;
import io.spyhop.core.schema.GlobalOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.LocalOptions;
import io.spyhop.core.value.Operand;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code spyhop index list}. */
@Command(
    name = "list",
    description = {
      "Lists the indexes of a table as they were declared.",
      "",
      "With --orphans: tables of global indexes that no table's definition names.",
      ""
    })
final class IndexListCommand extends ClientCommand {
  @Mixin private WidthOptions width;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      arity = "0..1",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Option(
      names = "--orphans",
      description = "List what is left of indexes in the whole cluster; drop it with 'index drop'.")
  private boolean orphans;

  @Override
  void check() {
    if (orphans == (table != null)) {
      throw new ParameterException(spec().commandLine(), "Give either a TABLE or --orphans");
    }
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    List<String> lines = orphans ? orphans(spyhop.admin()) : indexes(spyhop.admin());
    lines.forEach(out()::println);
    return ExitCode.OK;
  }

  private static List<String> orphans(IndexAdmin admin) throws IOException {
    List<Orphan> found = admin.orphans();
    TextTable lines = new TextTable("index table", "orphaned because");
    found.forEach(o -> lines.add(o.table(), o.why()));
    return found.isEmpty() ? List.of("There are no orphaned index tables.") : lines.lines();
  }

  private List<String> indexes(IndexAdmin admin) throws IOException {
    TextTable lines =
        new TextTable(
            "index", "kind", "column", "type", "~min", "~max", "~>flags", "stores", "~bloom",
            "kept", "~repair");
    for (IndexDefinition i : admin.listIndexes(table)) {
      lines.add(row(i));
    }
    return Stream.concat(lines.lines(width.width()).stream(), unreadable(admin, table).stream())
        .toList();
  }

  /** A line for each definition that cannot be read. */
  static List<String> unreadable(IndexAdmin admin, TableName table) throws IOException {
    return admin.unreadable(table).entrySet().stream()
        .map(
            e ->
                "index '"
                    + e.getKey()
                    + "' is served by nobody: "
                    + e.getValue()
                    + ". Drop it, or create it again")
        .toList();
  }

  /** What an index of another kind has is a dash. */
  private static Object[] row(IndexDefinition i) {
    Optional<LocalOptions> local = options(i, LocalOptions.class);
    Optional<GlobalOptions> global = options(i, GlobalOptions.class);
    return new Object[] {
      i.name(),
      i.kind(),
      i.column(),
      i.type(),
      local.flatMap(LocalOptions::min).map(Operand::toString).orElse("-"),
      local.flatMap(LocalOptions::max).map(Operand::toString).orElse("-"),
      local.map(l -> Integer.toString(i.flags())).orElse("-"),
      local.map(LocalOptions::stored).orElse("-"),
      i.bloom(),
      global.map(g -> g.maintenance().toString()).orElse("-"),
      global.map(g -> g.repair().toString()).orElse("-")
    };
  }

  private static <T> Optional<T> options(IndexDefinition index, Class<T> kind) {
    return Optional.of(index.options()).filter(kind::isInstance).map(kind::cast);
  }
}
