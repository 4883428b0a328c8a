package io.spyhop.cli.commands;

import io.spyhop.cli.console.ConsoleServer;
import io.spyhop.cli.console.Tokens;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop console}. */
@Command(
    name = "console",
    description = {
      "Shows a running cluster on a web page, until it is stopped with Ctrl-C.",
      "",
      "Tables and their indexes, how far these are, jobs and repairs that wait, statistics of"
          + " regions, slow queries with their plans, and what the doctor finds. It changes"
          + " nothing, and sees what the user sees who runs it: best with ADMIN on everything.",
      "It listens on 127.0.0.1, where all users of this machine may look. With --host, or with"
          + " --token-file, the page asks for a token; without --token-file one is made and"
          + " printed. It speaks HTTP: across a network, put a"
          + " proxy with TLS before it.",
      ""
    })
final class ConsoleCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;
  @Mixin private ListenOptions listen;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "16040",
      description = "The port; 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file whose first line is the token that the page asks for: 16 characters or more of"
              + " A-Z, a-z, 0-9, - and _. Nobody else may be allowed to read it.")
  private Optional<Path> tokenFile;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "How often the cluster is looked at while a browser has the page open (default:"
              + " ${DEFAULT-VALUE}).")
  private int every;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    InetSocketAddress address = address();
    Optional<String> token = token(address.getAddress());
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open);
        ConsoleServer server = listen(address, token, open, spyhop)) {
      print(address, server.port(), token);
      new CountDownLatch(1).await(); // the end of the JVM ends it
    }
    return ExitCode.OK;
  }

  private InetSocketAddress address() {
    if (every < 1) {
      throw new ParameterException(spec.commandLine(), "--every " + every + " is less than 1");
    }
    return listen.address(port);
  }

  private Optional<String> token(InetAddress address) throws IOException {
    if (tokenFile.isPresent()) {
      return Optional.of(Tokens.read(tokenFile.get()));
    }
    return address.isLoopbackAddress() ? Optional.empty() : Optional.of(Tokens.random());
  }

  private ConsoleServer listen(
      InetSocketAddress address, Optional<String> token, Connection open, Spyhop spyhop)
      throws IOException {
    try {
      return ConsoleServer.start(address, token, open, spyhop, Duration.ofSeconds(every));
    } catch (BindException e) {
      throw listen.failure(address, e);
    }
  }

  private void print(InetSocketAddress address, int at, Optional<String> token) {
    String shown = ListenOptions.shown(address.getAddress());
    PrintWriter out = spec.commandLine().getOut();
    boolean made = token.isPresent() && tokenFile.isEmpty();
    out.printf("The console is at http://%s:%d/%s%n", shown, at, made ? "#" + token.get() : "");
    if (made) {
      out.println("What follows # is the token, which lets its holder look.");
    } else if (token.isPresent()) {
      out.printf("It asks for the token in '%s'.%n", tokenFile.get());
    }
    out.println("Ctrl-C stops it.");
    out.flush();
  }
}
