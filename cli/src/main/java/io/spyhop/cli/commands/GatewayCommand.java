package io.spyhop.cli.commands;

import io.spyhop.gateway.Gateway;
import io.spyhop.gateway.GatewaySettings;
import io.spyhop.gateway.TokenFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop gateway}. */
@Command(
    name = "gateway",
    description = {
      "Answers queries over Arrow Flight, for Python and other tools, until it is stopped with"
          + " Ctrl-C.",
      "",
      "It listens on 127.0.0.1, where all users of this machine may ask, with the rights of the"
          + " user who runs it; with --token-file only those who have a token. docs/python.md has"
          + " the Python package, and how to let other machines in. It changes nothing.",
      ""
    })
final class GatewayCommand implements Callable<Integer> {
  private static final int MEGABYTE = 1 << 20;

  @Mixin private ConnectionOptions connection;
  @Mixin private ListenOptions listen;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "16050",
      description = "The port; 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Who may ask: a file with the line 'spyhop-tokens 1', and then USER:HASH, the SHA-256 of"
              + " the user's token. Nobody else may be allowed to read it. It is read again when it"
              + " changes.")
  private Optional<Path> tokenFile;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "The certificate of this server, and those that signed it, in PEM.")
  private Optional<Path> certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The private key of --tls-certificate, in PEM, without a password.")
  private Optional<Path> key;

  @Option(
      names = "--impersonate",
      description =
          "Run each query as the HBase user whose token it comes with. The servers have to allow the"
              + " user who runs the gateway to stand for that one, by settings hadoop.proxyuser.")
  private boolean impersonates;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "16",
      description = {
        "The most queries at once, with tokens half of them of one user; others are refused",
        "(default: ${DEFAULT-VALUE})."
      })
  private int queries;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "512",
      description =
          "Megabytes for Arrow's data, of which each query has its share (default:"
              + " ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description =
          "The longest that a query may take, until its last row is taken (default:"
              + " ${DEFAULT-VALUE}).")
  private long timeout;

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "With --impersonate: of how many users connections to HBase stay open (default:"
              + " ${DEFAULT-VALUE}).")
  private int users;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    GatewaySettings settings = settings();
    Configuration conf;
    try (Connection probe = connection.connect()) { // says at once what is wrong with it
      conf = probe.getConfiguration();
    }
    Gateway gateway = listen(settings, conf);
    Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "spyhop-gateway-end"));
    print(settings, gateway.port());
    new CountDownLatch(1).await(); // the end of the JVM ends it
    return ExitCode.OK;
  }

  private GatewaySettings settings() throws IOException {
    InetSocketAddress address = listen.address(port);
    if (certificate.isPresent() != key.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--tls-certificate and --tls-key go together; give both or none");
    }
    Optional<TokenFile> known = Optional.empty();
    if (tokenFile.isPresent()) {
      known = Optional.of(TokenFile.open("--token-file", tokenFile.get()));
    }
    GatewaySettings.Limits most = GatewaySettings.Limits.DEFAULT;
    try {
      return new GatewaySettings(
          address,
          known,
          certificate.map(c -> new GatewaySettings.Tls(c, key.orElseThrow())),
          impersonates,
          new GatewaySettings.Limits(
              queries,
              memory * MEGABYTE,
              Duration.ofSeconds(timeout),
              users,
              most.batchRows(),
              most.batchBytes()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Gateway listen(GatewaySettings settings, Configuration conf) throws IOException {
    try {
      return Gateway.start(settings, conf);
    } catch (IOException e) {
      throw listen.failure(settings.address(), e);
    }
  }

  private void print(GatewaySettings settings, int at) {
    PrintWriter out = spec.commandLine().getOut();
    String scheme = settings.tls().isPresent() ? "grpc+tls" : "grpc";
    out.printf(
        "The gateway is at %s://%s:%d%n",
        scheme, ListenOptions.shown(settings.address().getAddress()), at);
    out.println("Ctrl-C stops it.");
    out.flush();
  }
}
