package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.client.BucketAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.ArgGroup;
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

  @ArgGroup private Instead instead;

  /** Something other than to begin one. */
  static final class Instead {
    @Option(names = "--dry-run", description = "Say what would be moved, and move nothing.")
    private boolean dry;

    @Option(
        names = "--status",
        description = "Say how far the table's last rebalance is, or how it ended.")
    @SuppressWarnings("UnusedVariable") // what is left where none of the others is set
    private boolean status;

    @Option(names = "--follow", description = "Show what moves until it has ended.")
    private boolean follow;

    @Option(names = "--stop", description = "Stop it between two buckets.")
    private boolean stop;
  }

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Duration between = pause.get();
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      BucketAdmin buckets = spyhop.buckets();
      if (instead == null || instead.dry) {
        begin(buckets, live(open), between);
      } else {
        requireNoServers();
        Optional<RebalanceState> last = buckets.lastRebalance(table);
        if (last.isEmpty()) {
          out().printf("Table '%s' was not rebalanced yet.%n", table);
        } else {
          look(buckets, last.get());
        }
      }
    }
    return ExitCode.OK;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void requireNoServers() {
    if (!added.isEmpty() || !removed.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--add and --remove say what a rebalance that begins is to do: leave them out with"
              + " --status, --follow and --stop");
    }
  }

  private void begin(BucketAdmin buckets, Collection<ServerName> live, Duration between)
      throws IOException {
    Set<ServerName> staying = buckets.servers(table, servers(live, added), servers(live, removed));
    if (instead != null) {
      show(buckets.plan(table, staying));
    } else {
      done(buckets.rebalance(table, staying, between, this::tell));
    }
  }

  private void look(BucketAdmin buckets, RebalanceState last) throws IOException {
    boolean runs = last.phase().isOpen();
    if (instead.follow && runs) {
      done(buckets.follow(last.request(), this::tell));
      return;
    }
    RebalanceState state = instead.stop && runs ? buckets.stop(last.request()) : last;
    RebalanceTexts.summary(state).forEach(out()::println);
    RebalanceTexts.moves(state).forEach(out()::println);
  }

  private void tell(Move<ServerName> move) {
    out()
        .printf(
            "Moving bucket %s from %s to %s.%n",
            move.bucket(), move.from().getAddress(), move.to().getAddress());
    out().flush();
  }

  private void done(List<Move<ServerName>> moved) {
    out().printf("Table '%s' is rebalanced; %d buckets were moved.%n", table, moved.size());
  }

  private void show(RebalancePlan plan) {
    TextTable lines = new TextTable("bucket", "replica", "from", "to");
    plan.buckets().forEach(m -> add(lines, m, "-"));
    plan.replicas().forEach(r -> add(lines, r.move(), r.number()));
    if (plan.isEmpty()) {
      out().printf("Table '%s': nothing to move.%n", table);
    } else {
      lines.lines().forEach(out()::println);
    }
  }

  private static void add(TextTable lines, Move<ServerName> move, Object replica) {
    lines.add(move.bucket(), replica, move.from().getAddress(), move.to().getAddress());
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
