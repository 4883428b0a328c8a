package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code spyhop gateway} as it is started; the gateway has tests of its own. */
class GatewayCommandTest {
  @RegisterExtension private static final SharedHBase HBASE = new SharedHBase();

  @TempDir private Path dir;

  private static void refused(int code, String message, String... args) {
    List<String> all = new ArrayList<>(List.of("gateway"));
    all.addAll(List.of(args));
    Run run = Cli.run(all.toArray(new String[0]));
    assertThat(run.err()).startsWith("spyhop: ").contains(message);
    assertThat(run.err().strip().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(code);
  }

  @Test
  void badInput() throws IOException {
    refused(2, "--port -1 is not in 0..65535", "--port", "-1");
    refused(2, "--host ' ' is no address", "--host", " ");
    refused(2, "takes both tokens and TLS", "--host", "0.0.0.0");
    refused(2, "no user is known", "--impersonate");
    refused(2, "--tls-certificate and --tls-key go together", "--tls-key", "k");
    refused(2, "a limit of the gateway is less than 1", "--queries", "0");
    refused(2, "are too little for 16 queries", "--memory", "10");
    Path tokens = Files.writeString(dir.resolve("tokens"), "alice:00\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    refused(1, "is not spyhop-tokens 1", "--token-file", tokens.toString());
  }

  @Test
  void aPortInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Run run = HBASE.run("gateway", "--port", String.valueOf(taken.getLocalPort()));
      assertThat(run.err())
          .startsWith("spyhop: cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("choose another --port");
      assertThat(run.code()).isOne();
    }
  }
}
