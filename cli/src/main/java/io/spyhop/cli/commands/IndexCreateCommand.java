package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code spyhop index create}. */
@Command(
    name = "create",
    description = {
      "Creates an index of a column.",
      "",
      "It is built in the background while reads and writes go on; queries are right meanwhile.",
      ""
    })
final class IndexCreateCommand extends ClientCommand {
  @Mixin private IndexName target;

  @Option(
      names = "--column",
      required = true,
      paramLabel = "FAMILY:QUALIFIER",
      description = "The indexed column.")
  private String column;

  @Option(
      names = "--type",
      required = true,
      paramLabel = "TYPE",
      description = "How the column's bytes are read: ${COMPLETION-CANDIDATES}.")
  private ValueType type;

  @Option(
      names = "--min",
      paramLabel = "VALUE",
      description =
          "The smallest value, for the statistics; smaller ones are indexed all the same. Goes with"
              + " --max; without both the statistics take their range from the data.")
  private Optional<String> min;

  @Option(names = "--max", paramLabel = "VALUE", description = "The largest value.")
  private Optional<String> max;

  @Option(
      names = "--flags",
      paramLabel = "N",
      description = "Of a local index: how many intervals its statistics count (default: 100).")
  private Optional<Integer> flags;

  @Option(
      names = "--include",
      split = ",",
      paramLabel = "FAMILY:QUALIFIER",
      description =
          "Of a clustering layout: store the cells of these columns only, and of the indexed one;"
              + " all others are read from the row. Without this option all cells of the family.")
  private List<String> include = List.of();

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description =
          "Of a local index: COLUMNAR, the values in the order of rows: small, and conditions on"
              + " several such columns narrow together (the default), or CLUSTERING, the rows"
              + " again, sorted by value (the default with --include).")
  private Optional<Layout> layout;

  @Option(
      names = "--bloom",
      paramLabel = "BITS",
      converter = BloomConverter.class,
      description =
          "Keep a bloom filter of the column's values beside each region's least and greatest"
              + " value: off, auto (sized to the data), or a power of two of bits (default: 1024"
              + " for --kind stats, otherwise off).")
  private Optional<BloomSize> bloom;

  @Mixin private GlobalOptions global;

  @Option(
      names = "--wait",
      arity = "0..1",
      paramLabel = "SECONDS",
      fallbackValue = "600",
      description =
          "Wait until the index covers all that is there, for so many seconds at most (600 if no"
              + " number is given).")
  private Optional<Integer> wait;

  private IndexDefinition index;

  @Override
  void check() {
    requireBase();
    index = definition();
    wait.ifPresent(seconds -> PositiveNumber.require(spec(), "--wait", seconds));
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    PrintWriter out = out();
    long start = System.nanoTime();
    IndexAdmin admin = spyhop.admin();
    List<String> splits = global.splits(spec());
    if (splits.isEmpty()) {
      admin.createIndex(target.table(), index);
    } else {
      admin.createIndex(target.table(), index, splits);
    }
    out.printf("Created index '%s' on table '%s'.%n", target.name(), target.table());
    Failures.warn(
        spec().commandLine(), spyhop.table(target.table()).remark(index).stream().toList());
    if (wait.isPresent()) {
      admin.waitUntilActive(target.table(), target.name(), Duration.ofSeconds(wait.get()));
      out.printf("It is active after %s.%n", Texts.since(start));
    }
    return ExitCode.OK;
  }

  private void requireBase() {
    if (IndexTable.isReserved(target.table())) {
      throw new ParameterException(
          spec().commandLine(),
          "table '"
              + target.table()
              + "': names with '_spyhop.' are of tables that hold global indexes and have none"
              + " themselves; create the index on the table that they are of");
    }
  }

  private IndexDefinition definition() {
    IndexDefinition.Builder builder = IndexDefinition.builder(target.name()).type(type);
    try {
      builder.column(column);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), "--column: " + e.getMessage(), e);
    }
    global.applyTo(builder);
    global.splits(spec());
    if (min.isPresent() || max.isPresent()) {
      builder.range(min.orElse(null), max.orElse(null));
    }
    global.checkFlags(flags, spec());
    flags.ifPresent(builder::flags);
    bloom.ifPresent(builder::bloom);
    layout.ifPresent(builder::layout);
    if (!include.isEmpty()) {
      builder.include(columns());
    }
    return builder.build();
  }

  private List<ColumnName> columns() {
    try {
      return include.stream().map(ColumnName::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), "--include: " + e.getMessage(), e);
    }
  }
}
