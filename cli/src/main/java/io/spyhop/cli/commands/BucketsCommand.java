package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.BucketAdmin;
import io.spyhop.client.BucketInfo;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.Balance;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop buckets}. */
@Command(
    name = "buckets",
    description = {
      "Shows the buckets of a bucketed table, where they are, how even that is, and its last"
          + " rebalance.",
      "",
      "'buckets create' makes such a table.",
      ""
    },
    subcommands = BucketsCreateCommand.class,
    footerHeading = "%nColumns:%n",
    footer = {
      "  bucket  the last bits of the hash of its keys, the highest first",
      "  depth   how many bits that are",
      "  share   of all keys, by its depth alone",
      "  size    of its HFiles, as its server told last"
    })
final class BucketsCommand implements Callable<Integer> {
  private static final String NONE = "-";

  @Mixin private ConnectionOptions connection;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      arity = "0..1",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (table == null) {
      throw new ParameterException(
          spec.commandLine(), "whose buckets? Give a TABLE, or create one");
    }
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      BucketOptions options = spyhop.buckets().options(table);
      List<BucketInfo> buckets = spyhop.buckets().buckets(table);
      print(options, buckets, servers(open), spec.commandLine().getOut());
      printRebalance(spyhop.buckets(), spec.commandLine().getOut());
    }
    return ExitCode.OK;
  }

  /** All that live: one without a bucket is part of how even they are. */
  private static List<ServerName> servers(Connection open) throws IOException {
    try (Admin admin = open.getAdmin()) {
      return List.copyOf(admin.getRegionServers());
    }
  }

  private void print(
      BucketOptions options, List<BucketInfo> buckets, List<ServerName> servers, PrintWriter out) {
    int deepest = buckets.stream().mapToInt(b -> b.bucket().depth()).max().orElse(0);
    out.printf(
        "Table '%s': %s buckets of up to %d of %d bits of %s, split beyond %s bytes.%n",
        table,
        Texts.count(buckets.size()),
        deepest,
        options.bits(),
        options.hash(),
        Texts.count(options.maxSize()));
    TextTable lines = new TextTable("bucket", ">depth", ">share", ">size", "server");
    for (BucketInfo b : buckets) {
      lines.add(
          b.bucket(),
          b.bucket().depth(),
          percent(1.0 / (1L << b.bucket().depth())),
          b.bytes().map(Texts::megabytes).orElse(NONE),
          b.server().map(ServerName::getServerName).orElse(NONE));
    }
    lines.lines().forEach(out::println);
    print(balance(buckets, servers), deepest, out);
  }

  /** It is told to those who may rebalance the table. */
  private void printRebalance(BucketAdmin buckets, PrintWriter out) throws IOException {
    try {
      buckets
          .lastRebalance(table)
          .ifPresent(
              state -> {
                out.println();
                RebalanceTexts.summary(state).forEach(out::println);
              });
    } catch (AccessDeniedException e) {
      out.printf("%nHow its last rebalance went is told to those who may rebalance it.%n");
    }
  }

  private static Balance<ServerName> balance(List<BucketInfo> buckets, List<ServerName> servers) {
    Map<ServerName, List<Bucket>> held = new TreeMap<>();
    servers.forEach(s -> held.put(s, new ArrayList<>()));
    for (BucketInfo b : buckets) {
      b.server().ifPresent(s -> held.computeIfAbsent(s, any -> new ArrayList<>()).add(b.bucket()));
    }
    return Balance.of(held);
  }

  private static void print(Balance<ServerName> balance, int deepest, PrintWriter out) {
    out.println();
    TextTable lines = new TextTable("server", ">share");
    balance
        .loads()
        .forEach(
            (server, load) ->
                lines.add(server.getServerName(), percent((double) load / (1L << deepest))));
    lines.lines().forEach(out::println);
    out.printf(
        Locale.ROOT, "The most loaded server has %.2f times the mean.%n", balance.maxOverMean());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }
}
