package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.LocalHBase;
import io.spyhop.cli.server.ServerPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop server}. */
@Command(
    name = "server",
    description = {
      "Runs a standalone HBase with Spyhop installed, until it is stopped with Ctrl-C.",
      "",
      "It listens on 127.0.0.1 only. Its data survives a stop; it is written to local files without"
          + " sync, so a crash of the machine may lose the last writes. A port of 0 means any that"
          + " is free.",
      ""
    })
final class ServerCommand implements Callable<Integer> {
  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "Where the data is; made if it does not exist.")
  private Path dir;

  @Option(
      names = "--zookeeper-port",
      paramLabel = "PORT",
      defaultValue = "2181",
      description = "Where clients connect (default: ${DEFAULT-VALUE}).")
  private int zookeeperPort;

  @Option(
      names = "--master-port",
      paramLabel = "PORT",
      defaultValue = "16000",
      description = "The master's RPC port (default: ${DEFAULT-VALUE}).")
  private int masterPort;

  @Option(
      names = "--regionserver-port",
      paramLabel = "PORT",
      defaultValue = "16020",
      description =
          "The region server's RPC port (default: ${DEFAULT-VALUE}). Index files belong to a host"
              + " and port: under another port they are built anew.")
  private int regionServerPort;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    try (LocalHBase hbase = LocalHBase.start(DataDirectory.of(dir), ports())) {
      PrintWriter out = spec.commandLine().getOut();
      out.printf("HBase with Spyhop is up after %s.%n", Texts.since(start));
      out.printf("  connect  --zookeeper %s%n", hbase.connectString());
      out.printf("  data     %s%n", hbase.directory());
      out.printf("  log      %s%n", hbase.directory().log());
      out.println("Ctrl-C stops it.");
      hbase.awaitEnd(); // the end of the JVM stops it
      return ExitCode.OK;
    }
  }

  private ServerPorts ports() {
    try {
      return new ServerPorts(zookeeperPort, masterPort, regionServerPort);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
