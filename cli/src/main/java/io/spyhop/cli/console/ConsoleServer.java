package io.spyhop.cli.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.spyhop.cli.output.Json;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers browsers over HTTP: {@code /} is the page, which holds no data, {@code /api/state} what
 * was seen last, for {@link Visitors} who may know. It takes GET and HEAD alone, and changes
 * nothing. Few threads, and few that may wait for one. Thread-safe.
 */
public final class ConsoleServer implements Closeable {
  private static final String PAGE = "console.html";
  private static final String NONCE = "{{nonce}}";
  private static final int THREADS = 4;
  private static final int WAITING = 64;
  private static final int NONCE_BYTES = 16;

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);

  private final String page;
  private final Visitors visitors;
  private final HttpServer http;
  private final ThreadPoolExecutor threads;
  private final Watch watch;
  private final SecureRandom random = new SecureRandom();

  private ConsoleServer(InetSocketAddress address, Visitors visitors, Watch watch)
      throws IOException {
    this.page = read();
    this.visitors = visitors;
    this.watch = watch;
    limitRequests();
    this.http = HttpServer.create(address, WAITING);
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            daemons("spyhop-console-http"));
    http.setExecutor(threads);
    http.createContext("/", this::answer);
    http.start();
  }

  /** Who sends a request slowly, or does not read the answer, is let go. */
  private static void limitRequests() {
    setIfAbsent("sun.net.httpserver.maxReqTime", "10");
    setIfAbsent("sun.net.httpserver.maxRspTime", "30");
  }

  private static void setIfAbsent(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * Starts to listen.
   *
   * @param token what visitors must know; without one it is for loopback addresses
   * @param connection to the cluster; stays the caller's
   * @param every how often the cluster is looked at while a browser watches
   * @throws IOException if the address cannot be listened at
   */
  public static ConsoleServer start(
      InetSocketAddress address,
      Optional<String> token,
      Connection connection,
      Spyhop spyhop,
      Duration every)
      throws IOException {
    return start(address, token, new Look(connection, spyhop), every);
  }

  static ConsoleServer start(
      InetSocketAddress address, Optional<String> token, Watch.Looking looking, Duration every)
      throws IOException {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(daemons("spyhop-console-watch"));
    Watch watch = new Watch(looking, every, System::currentTimeMillis, thread);
    try {
      return new ConsoleServer(address, new Visitors(token), watch);
    } catch (IOException | RuntimeException e) {
      watch.close();
      throw e;
    }
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static String read() throws IOException {
    try (InputStream in = ConsoleServer.class.getResourceAsStream(PAGE)) {
      if (in == null) {
        throw new IOException("the console's page is not in this jar: " + PAGE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The port that it listens at. */
  public int port() {
    return http.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      switch (allowed(exchange.getRequestMethod()) ? exchange.getRequestURI().getPath() : "") {
        case "/" -> page(exchange);
        case "/api/state" -> state(exchange);
        case "" -> text(exchange, 405, "only GET");
        default -> text(exchange, 404, "there is no such page");
      }
    } catch (RuntimeException e) {
      LOG.error("A request could not be answered", e);
      throw e;
    }
  }

  private static boolean allowed(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** The page is whole in itself: no script and no style but its own, and no other place. */
  private void page(HttpExchange exchange) throws IOException {
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    String nonce = Base64.getEncoder().encodeToString(bytes);
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none';"
                + " form-action 'none'; frame-ancestors 'none'; script-src 'nonce-"
                + nonce
                + "'; style-src 'nonce-"
                + nonce
                + "'");
    send(exchange, 200, "text/html; charset=utf-8", page.replace(NONCE, nonce));
  }

  private void state(HttpExchange exchange) throws IOException {
    if (visitors.mayKnow(exchange.getRequestHeaders())) {
      send(exchange, 200, "application/json", Json.line(watch.latest()));
    } else {
      text(exchange, 401, "the token is needed, or the name of the loopback address");
    }
  }

  private static void text(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "text/plain; charset=utf-8", text + "\n");
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Listens no more. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    watch.close();
  }
}
