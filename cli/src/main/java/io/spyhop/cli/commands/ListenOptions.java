package io.spyhop.cli.commands;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option of commands that listen: where. */
final class ListenOptions {
  private static final int MAX_PORT = 65_535;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Where to listen instead of 127.0.0.1: an address of this machine, or 0.0.0.0 for all."
              + " Others than 127.0.0.1 take a token.")
  private Optional<String> host;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /**
   * Where to listen.
   *
   * @param port as {@code --port} has it
   */
  InetSocketAddress address(int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port " + port + " is not in 0.." + MAX_PORT);
    }
    String name = host.orElse("127.0.0.1");
    try {
      if (name.isBlank()) {
        throw new UnknownHostException("it is empty");
      }
      return new InetSocketAddress(InetAddress.getByName(name), port);
    } catch (UnknownHostException e) {
      throw new ParameterException(
          spec.commandLine(), "--host '" + name + "' is no address: " + e.getMessage(), e);
    }
  }

  /** The failure to listen there, with what can be done; others as they are. */
  IOException failure(InetSocketAddress address, IOException e) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof BindException)) {
      cause = cause.getCause();
    }
    return cause == null
        ? e
        : new IOException(
            "cannot listen on "
                + address.getAddress().getHostAddress()
                + ":"
                + address.getPort()
                + ": "
                + cause.getMessage()
                + "; choose another --port or --host",
            e);
  }

  /** An address as it stands in a URL; for one that means all, the loopback address. */
  static String shown(InetAddress address) {
    String name =
        address.isAnyLocalAddress()
            ? InetAddress.getLoopbackAddress().getHostAddress()
            : address.getHostAddress();
    return name.contains(":") ? "[" + name + "]" : name;
  }
}
