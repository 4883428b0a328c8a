package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class IndexStatusCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      print(spyhop.admin().status(table), spec.commandLine().getOut());
    }
    return ExitCode.OK;
  }

  private static void print(List<IndexStatus> indexes, PrintWriter out) {
    TextTable lines =
        new TextTable(
            "index",
            "kind",
            "column",
            "type",
            "state",
            ">covered",
            ">regions",
            ">entries",
            ">undecodable",
            ">unkeyable",
            ">IFiles",
            ">SFiles",
            ">pending",
            "repaired");
    for (IndexStatus s : indexes) {
      lines.add(s.definition().kind() == IndexKind.LOCAL ? local(s) : byRegions(s));
    }
    lines.lines().forEach(out::println);
    for (IndexStatus s : indexes) {
      s.errors().forEach(e -> out.println("error in index '" + s.name() + "': " + e));
    }
  }

  private static Object[] local(IndexStatus s) {
    return new Object[] {
      s.name(),
      s.definition().kind(),
      s.definition().column(),
      s.definition().type(),
      s.state(),
      s.covered() + "/" + s.files(),
      s.regionsAnswered() + "/" + s.regions(),
      Texts.count(s.entries()),
      Texts.count(s.undecodable()),
      Texts.count(s.unkeyable()),
      Texts.megabytes(s.ifileBytes()),
      Texts.megabytes(s.sfileBytes()),
      s.pending(),
      "-"
    };
  }

  private static Object[] byRegions(IndexStatus s) {
    String built = s.covered() + "/" + s.files();
    boolean global = s.definition().kind() == IndexKind.GLOBAL;
    return new Object[] {
      s.name(),
      s.definition().kind(),
      s.definition().column(),
      s.definition().type(),
      s.state(),
      built,
      "-",
      "-",
      "-",
      "-",
      "-",
      global ? "-" : Texts.megabytes(s.sfileBytes()),
      global ? s.pending() : "-",
      global && s.repairedUpTo() > 0 ? Instant.ofEpochMilli(s.repairedUpTo()) : "-"
    };
  }
}
