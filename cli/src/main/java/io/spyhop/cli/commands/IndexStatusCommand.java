package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code spyhop index status}. */
@Command(
    name = "status",
    description = {"Shows how far the indexes of a table are, summed over its regions.", ""},
    footerHeading = "%nColumns:%n",
    footer = {
      "  state        ACTIVE if every HFile is covered, else BUILDING: queries are right in both",
      "  covered      HFiles with index files / HFiles; of a global index: regions of the table"
          + " that are built / regions; of statistics: regions that know them / regions",
      "  regions      regions that answered / regions",
      "  entries      index entries",
      "  undecodable  cells that are no value of the declared type",
      "  unkeyable    values without an order-preserving key, which every query reads",
      "  IFiles       size of the index files",
      "  SFiles       size of their statistics; of statistics alone: of what regions tell clients",
      "  pending      jobs that wait or run; of a global index: repairs of its entries",
      "  repaired     up to when all that flushes and compactions found obsolete has been repaired",
      "What is not counted for an index of its kind is a dash."
    })
final class IndexStatusCommand extends ClientCommand {
  private static final String NONE = "-";

  @Mixin private WidthOptions width;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Override
  int run(Spyhop spyhop) throws IOException {
    PrintWriter out = out();
    print(spyhop.admin().status(table), out);
    IndexListCommand.unreadable(spyhop.admin(), table).forEach(out::println);
    return ExitCode.OK;
  }

  private void print(List<IndexStatus> indexes, PrintWriter out) {
    TextTable lines =
        new TextTable(
            "index",
            "kind",
            "column",
            "type",
            "state",
            ">covered",
            "~>regions",
            ">entries",
            ">undecodable",
            "~>unkeyable",
            "~>IFiles",
            "~>SFiles",
            ">pending",
            "~repaired");
    for (IndexStatus s : indexes) {
      lines.add(row(s));
    }
    lines.lines(width.width()).forEach(out::println);
    for (IndexStatus s : indexes) {
      s.build().ifPresent(b -> out.println("index '" + s.name() + "' is being built: " + b));
      s.errors().forEach(e -> out.println("error in index '" + s.name() + "': " + e));
    }
  }

  /** Sums over regions of which none answered are not known, which is not zero. */
  static Object[] row(IndexStatus status) {
    if (status instanceof IndexStatus.Local s) {
      String answered = s.regionsAnswered() + "/" + s.regions();
      if (s.regionsAnswered() == 0 && s.regions() > 0) {
        return row(s, NONE, answered, NONE, NONE, NONE, NONE, NONE, NONE, NONE);
      }
      return row(
          s,
          s.covered() + "/" + s.files(),
          answered,
          Texts.count(s.entries()),
          Texts.count(s.undecodable()),
          Texts.count(s.unkeyable()),
          Texts.megabytes(s.ifileBytes()),
          Texts.megabytes(s.sfileBytes()),
          s.pending(),
          NONE);
    }
    if (status instanceof IndexStatus.Global s) {
      Object upTo = s.repairedUpTo() > 0 ? Instant.ofEpochMilli(s.repairedUpTo()) : NONE;
      String built = s.built() + "/" + s.regions();
      return row(s, built, NONE, NONE, NONE, NONE, NONE, NONE, s.repairs(), upTo);
    }
    IndexStatus.Statistics s = (IndexStatus.Statistics) status;
    String known = s.known() + "/" + s.regions();
    String size = Texts.megabytes(s.bytes());
    return row(s, known, NONE, NONE, NONE, NONE, NONE, size, NONE, NONE);
  }

  private static Object[] row(IndexStatus s, Object... ofItsKind) {
    IndexDefinition d = s.definition();
    Object[] all = {s.name(), d.kind(), d.column(), d.type(), s.state()};
    return Stream.concat(Arrays.stream(all), Arrays.stream(ofItsKind)).toArray();
  }
}
