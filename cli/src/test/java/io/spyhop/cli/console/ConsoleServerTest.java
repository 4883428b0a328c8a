package io.spyhop.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.client.Diagnosis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to browsers, trusted or not; without a cluster. */
class ConsoleServerTest {
  private static final String TOKEN = "a-token-of-the-test";
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>";

  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch looked = new CountDownLatch(1);

  private Snapshot seen(long at, long everyMs, boolean thoroughly) {
    looked.countDown();
    Diagnosis.Finding hostile = new Diagnosis.Finding(HOSTILE, "what", "remedy");
    return Snapshots.of(at, everyMs, List.of(), 0, List.of(hostile));
  }

  private ConsoleServer start(String token) throws IOException {
    return ConsoleServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.ofNullable(token),
        this::seen,
        Duration.ofMillis(50));
  }

  private HttpResponse<String> ask(ConsoleServer server, String method, String path, String... more)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (more.length > 0) {
      request.headers(more);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void thePageHoldsNoDataAndMayLoadNothing() throws Exception {
    try (ConsoleServer server = start(TOKEN)) {
      HttpResponse<String> first = ask(server, "GET", "/");
      HttpResponse<String> second = ask(server, "GET", "/");
      String policy = first.headers().firstValue("Content-Security-Policy").orElseThrow();
      assertThat(policy)
          .contains("default-src 'none'", "frame-ancestors 'none'", "script-src 'nonce-")
          .doesNotContain("unsafe", "http:", "*");
      assertThat(second.headers().firstValue("Content-Security-Policy"))
          .isNotEqualTo(Optional.of(policy));
      assertThat(first.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(first.headers().firstValue("Cache-Control")).contains("no-store");
      String nonce = policy.replaceFirst(".*script-src 'nonce-([^']+)'.*", "$1");
      assertThat(first.body()).contains("<script nonce=\"" + nonce + "\">");
      assertThat(first.body())
          .doesNotContain("{{", "http://", "https://", "innerHTML", "document.write", "eval(")
          .doesNotContain("insertAdjacentHTML", "outerHTML", " style=\"", "onclick=", TOKEN);
    }
  }

  @Test
  void whatWasSeenIsJson() throws Exception {
    try (ConsoleServer server = start(null)) {
      JsonNode first = json(ask(server, "GET", "/api/state"));
      assertThat(first.get("every_ms").asLong()).isEqualTo(50);
      JsonNode state =
          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> json(ask(server, "GET", "/api/state")), s -> s.get("at").asLong() > 0);
      assertThat(state.at("/cluster/dead_servers").asInt()).isZero();
      assertThat(state.get("repairs").asLong()).isEqualTo(7);
      assertThat(state.get("tables").isNull()).as("never seen").isTrue();
      assertThat(state.at("/seen/cluster").asLong()).isEqualTo(state.get("at").asLong());
      assertThat(state.at("/history/0/dead").asInt()).isZero();
      assertThat(state.at("/findings/0/where").asText()).isEqualTo(HOSTILE);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void whoHasNoTokenLearnsNothing() throws Exception {
    try (ConsoleServer server = start(TOKEN)) {
      String[][] without = {
        {},
        {"Authorization", "Bearer "},
        {"Authorization", "Bearer " + TOKEN + "x"},
        {"Authorization", "bearer " + TOKEN},
        {"Authorization", "Basic " + TOKEN},
        {"Cookie", "token=" + TOKEN}
      };
      for (String[] headers : without) {
        HttpResponse<String> answer = ask(server, "GET", "/api/state", headers);
        assertThat(answer.statusCode()).as(String.join(" ", headers)).isEqualTo(401);
        assertThat(answer.body()).doesNotContain("servers");
      }
      assertThat(ask(server, "GET", "/api/state?token=" + TOKEN).statusCode()).isEqualTo(401);
      String[] with = {"Authorization", "Bearer " + TOKEN};
      assertThat(ask(server, "GET", "/api/state", with).statusCode()).isEqualTo(200);
    }
  }

  /** A stranger's page may have its name lead to the loopback address. */
  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example:16040", "10.0.0.1", "", "[::2]"})
  void namesThatAreNotLoopbackAreRefused(String host) throws IOException {
    try (ConsoleServer server = start(null)) {
      assertThat(status(server, host)).contains("401");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:80", "127.0.0.1:16040", "[::1]:9"})
  void namesOfTheLoopbackAreServed(String host) throws IOException {
    try (ConsoleServer server = start(null)) {
      assertThat(status(server, host)).contains("200");
    }
  }

  private static String status(ConsoleServer server, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET /api/state HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  @Test
  void whatElseIsAsked() throws Exception {
    try (ConsoleServer server = start(null)) {
      for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
        assertThat(ask(server, method, "/api/state").statusCode()).as(method).isEqualTo(405);
      }
      for (String path : List.of("/api", "/api/state/", "/console.html", "/../etc/passwd")) {
        assertThat(ask(server, "GET", path).statusCode()).as(path).isEqualTo(404);
      }
      HttpResponse<String> head = ask(server, "HEAD", "/");
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
    }
  }

  @Test
  void nobodyWatchesNobodyLooks() throws Exception {
    try (ConsoleServer server = start(TOKEN)) {
      assertThat(ask(server, "GET", "/").statusCode()).isEqualTo(200);
      assertThat(ask(server, "GET", "/api/state").statusCode()).isEqualTo(401);
      assertThat(looked.getCount()).isOne();
    }
  }
}
