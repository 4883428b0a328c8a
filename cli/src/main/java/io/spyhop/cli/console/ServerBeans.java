package io.spyhop.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerMetrics;

/**
 * Reads Spyhop's metrics from the {@code /jmx} of region servers, all at once, each within a few
 * seconds. Thread-safe.
 */
final class ServerBeans {
  /** Where each region server shows what Spyhop counts. */
  static final String BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.RegionServer.CP_"
          + "io.spyhop.server.hook.SpyhopRegionServer";

  private static final String PREFIX = "Spyhop";
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofSeconds(3);
  private static final int MAX_BYTES = 1 << 20;
  private static final int OK = 200;

  private final String scheme;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final ObjectMapper json = new ObjectMapper();

  /**
   * @param secure whether servers speak HTTPS ({@code hbase.ssl.enabled})
   */
  ServerBeans(boolean secure) {
    this.scheme = secure ? "https" : "http";
  }

  /**
   * The metrics of a server's bean.
   *
   * @param metrics by name; null if they could not be had
   * @param why they could not, in one line, or null
   */
  record Answer(Map<String, Double> metrics, String why) {}

  /** Asks servers; there is an answer for each. */
  Map<String, Answer> ask(Map<String, ServerMetrics> servers) {
    Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
    servers.forEach((name, server) -> asked.put(name, ask(server)));
    Map<String, Answer> answers = new LinkedHashMap<>();
    asked.forEach((name, answer) -> answers.put(name, answer.join()));
    return answers;
  }

  private CompletableFuture<Answer> ask(ServerMetrics server) {
    int port = server.getInfoServerPort();
    if (port <= 0) {
      return CompletableFuture.completedFuture(new Answer(null, "its info port is off"));
    }
    String host = server.getServerName().getHostname();
    try {
      URI uri = new URI(scheme, null, host, port, "/jmx", "qry=" + BEAN, null);
      HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER).build();
      return http.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
          .thenApply(this::read)
          .orTimeout(2 * ANSWER.toSeconds(), TimeUnit.SECONDS)
          .exceptionally(e -> new Answer(null, host + ":" + port + "/jmx: " + reason(e)));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return CompletableFuture.completedFuture(new Answer(null, "no address: " + e.getMessage()));
    }
  }

  private static String reason(Throwable failure) {
    Throwable e =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.lines().findFirst().orElse(text);
  }

  private Answer read(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      if (response.statusCode() != OK) {
        return new Answer(null, response.uri() + " answers " + response.statusCode());
      }
      byte[] bytes = body.readNBytes(MAX_BYTES);
      return metrics(json.readTree(bytes).path("beans").path(0));
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static Answer metrics(JsonNode bean) {
    Map<String, Double> metrics = new TreeMap<>();
    bean.fields()
        .forEachRemaining(
            field -> {
              if (field.getKey().startsWith(PREFIX) && field.getValue().isNumber()) {
                metrics.put(field.getKey(), field.getValue().asDouble());
              }
            });
    return metrics.isEmpty()
        ? new Answer(null, "its beans have nothing of Spyhop (yet)")
        : new Answer(metrics, null);
  }
}
