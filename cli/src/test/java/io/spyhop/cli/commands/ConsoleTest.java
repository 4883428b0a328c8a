package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.console.ConsoleServer;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code spyhop console} on a server whose info ports are off. */
class ConsoleTest {
  @RegisterExtension private static final SharedHBase HBASE = new SharedHBase();

  @TempDir private Path dir;

  private static void refused(int code, String message, String... args) {
    List<String> all = new ArrayList<>(List.of("console"));
    all.addAll(List.of(args));
    Run run = Cli.run(all.toArray(new String[0]));
    assertThat(run.err()).startsWith("spyhop: ").contains(message);
    assertThat(run.err().strip().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(code);
  }

  @Test
  void badInput() throws IOException {
    refused(2, "--port 70000 is not in 0..65535", "--port", "70000");
    refused(2, "--every 0 is less than 1", "--every", "0");
    refused(2, "--host '' is no address", "--host", "");
    refused(2, "no address", "--host", "no such host");
    Path token = dir.resolve("token");
    refused(1, "--token-file: cannot read", "--token-file", token.toString());
    Files.writeString(token, "short\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    refused(1, "everybody may read", "--token-file", token.toString());
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    refused(1, "is not 16 to 256 characters", "--token-file", token.toString());
  }

  @Test
  void aPortInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Run run = HBASE.run("console", "--port", String.valueOf(taken.getLocalPort()));
      assertThat(run.err())
          .startsWith("spyhop: cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("choose another --port");
      assertThat(run.code()).isOne();
    }
  }

  @Test
  void whatAClusterShows() throws Exception {
    Path file = dir.resolve("fish.csv");
    Files.writeString(file, "key,d:name,d:weight\nfish1,cod,1.5\nfish2,herring,0.2\n");
    HBASE.lines("import", "shown", file.toString());
    for (String kind : List.of("local", "global", "stats")) {
      String column = kind.equals("stats") ? "d:weight" : "d:name";
      String type = kind.equals("stats") ? "TEXT_DOUBLE" : "STRING";
      HBASE.lines(
          "index",
          "create",
          "shown",
          kind,
          "--column",
          column,
          "--type",
          type,
          "--kind",
          kind,
          "--wait");
    }
    try (Connection connection = HBASE.connect();
        Spyhop spyhop = Spyhop.connect(connection);
        ConsoleServer server =
            ConsoleServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                connection,
                spyhop,
                Duration.ofSeconds(1))) {
      JsonNode state = state(server);
      assertThat(state.get("failures")).isEmpty();
      for (String part : List.of("cluster", "servers", "tables", "jobs", "slow", "findings")) {
        assertThat(state.at("/seen/" + part).asLong()).as(part).isEqualTo(state.get("at").asLong());
      }
      assertThat(state.at("/cluster/hbase").asText()).isEqualTo(VersionInfo.getVersion());
      assertThat(state.at("/servers/0/no_metrics").asText()).isEqualTo("its info port is off");
      assertThat(state.get("diagnosed").asBoolean()).isTrue();
      assertThat(state.get("repairs").isNumber()).isTrue();
      assertThat(state.get("jobs")).isNotEmpty();
      JsonNode table = table(state, "shown");
      assertThat(table.get("indexes"))
          .extracting(i -> i.get("kind").asText() + " " + i.get("state").asText())
          .containsExactly("GLOBAL ACTIVE", "LOCAL ACTIVE", "STATS ACTIVE");
      assertThat(table.at("/indexes/1/entries").asLong()).isEqualTo(2);
      assertThat(table.at("/indexes/0/entries").isNull()).isTrue();
      assertThat(table.get("views")).isEmpty();
      assertThat(table.get("buckets").isNull()).isTrue();
      assertThat(table.at("/statistics/0/unknown").asText()).isEmpty();
      assertThat(table.at("/statistics/0/columns").toString()).contains("d:weight", "0.2..1.5");
    }
  }

  private static JsonNode state(ConsoleServer server) {
    HttpClient http = HttpClient.newHttpClient();
    URI uri = URI.create("http://localhost:" + server.port() + "/api/state");
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> new ObjectMapper().readTree(http.send(request, BodyHandlers.ofString()).body()),
            state -> state.get("at").asLong() > 0);
  }

  private static JsonNode table(JsonNode state, String name) {
    for (JsonNode table : state.get("tables")) {
      if (table.get("name").asText().equals(name)) {
        return table;
      }
    }
    throw new AssertionError("no table " + name + " in " + state);
  }
}
