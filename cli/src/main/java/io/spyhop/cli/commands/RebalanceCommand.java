package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.client.BucketAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.Rebalance.Move;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop rebalance}. */
@Command(
    name = "rebalance",
    description = {
      "Moves the fewest buckets of a bucketed table that make its servers even.",
      "",
      "Without --add and --remove they are spread over all region servers; with them, over those"
          + " that have buckets of the table now, with these added and those taken away.",
      ""
    })
final class RebalanceCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Option(
      names = "--add",
      split = ",",
      paramLabel = "SERVER",
      description = "Region servers that shall have buckets, too: HOST, or HOST:PORT.")
  private List<String> added = List.of();

  @Option(
      names = "--remove",
      split = ",",
      paramLabel = "SERVER",
      description = "Region servers that shall have none.")
  private List<String> removed = List.of();

  @Mixin private PauseOption pause;

  @Option(names = "--dry-run", description = "Say what would be moved, and move nothing.")
  private boolean dry;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Duration between = pause.get();
    PrintWriter out = spec.commandLine().getOut();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      Collection<ServerName> live = live(open);
      Set<ServerName> staying =
          spyhop.buckets().servers(table, servers(live, added), servers(live, removed));
      if (dry) {
        show(spyhop.buckets().plan(table, staying), out);
      } else {
        run(spyhop.buckets(), staying, between, out);
      }
    }
    return ExitCode.OK;
  }

  private void run(BucketAdmin buckets, Set<ServerName> staying, Duration between, PrintWriter out)
      throws IOException {
    int moved =
        buckets
            .rebalance(
                table,
                staying,
                between,
                m -> {
                  out.printf(
                      "Moving bucket %s from %s to %s.%n",
                      m.bucket(), m.from().getAddress(), m.to().getAddress());
                  out.flush();
                })
            .size();
    out.printf("Table '%s' is rebalanced; %d buckets were moved.%n", table, moved);
  }

  private void show(List<Move<ServerName>> plan, PrintWriter out) {
    TextTable lines = new TextTable("bucket", "from", "to");
    plan.forEach(m -> lines.add(m.bucket(), m.from().getAddress(), m.to().getAddress()));
    if (plan.isEmpty()) {
      out.printf("Table '%s': nothing to move.%n", table);
    } else {
      lines.lines().forEach(out::println);
    }
  }

  private static Collection<ServerName> live(Connection open) throws IOException {
    try (Admin admin = open.getAdmin()) {
      return admin.getRegionServers();
    }
  }

  private List<ServerName> servers(Collection<ServerName> live, List<String> names) {
    return names.stream().map(name -> server(live, name)).toList();
  }

  /** The one that is meant. */
  private ServerName server(Collection<ServerName> live, String name) {
    List<ServerName> found =
        live.stream()
            .filter(s -> s.getHostname().equals(name) || s.getAddress().toString().equals(name))
            .toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    List<?> all = live.stream().map(ServerName::getAddress).sorted().toList();
    throw new ParameterException(
        spec.commandLine(),
        found.isEmpty()
            ? "there is no region server '" + name + "'; there are " + all
            : "several region servers are on '" + name + "': say which port, of " + all);
  }
}
