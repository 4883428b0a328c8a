import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The console's page over made-up snapshots of clusters that cannot be had at will, for
 * scripts/screenshots: one that nobody has seen, one that is gone, one whose look does not end, one
 * of which a part is not known, and a large one in trouble. Prints NAME=URL of each.
 *
 * <p>Arguments: console.html.
 */
public final class ConsoleStates {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long NOW = 1_790_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final List<String> PARTS =
      List.of("cluster", "servers", "tables", "repairs", "slow", "jobs", "findings");

  private ConsoleStates() {}

  public static void main(String[] args) throws IOException {
    String page = Files.readString(Path.of(args[0])).replace("{{nonce}}", "n");
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    for (String name : List.of("unseen-never", "unseen-gone", "unseen-hanging", "partial", "large")) {
      http.createContext("/" + name + "/", e -> answer(e, name, page));
      System.out.printf(
          "%s=http://127.0.0.1:%d/%s/%n", name, http.getAddress().getPort(), name);
    }
    System.out.flush();
    http.start();
  }

  private static void answer(HttpExchange exchange, String name, String page) throws IOException {
    boolean isState = exchange.getRequestURI().getPath().endsWith("/api/state");
    byte[] body = (isState ? state(name).toString() : page).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", isState ? "application/json" : "text/html");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; connect-src 'self'; img-src data:; script-src 'nonce-n';"
                + " style-src 'nonce-n'");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static ObjectNode state(String name) {
    ObjectNode state =
        switch (name) {
          case "unseen-never" -> nothing();
          case "large" -> whole(100);
          default -> whole(5);
        };
    switch (name) {
      case "unseen-never" -> fail(state, "servers: ConnectException: connection refused");
      case "unseen-gone" -> {
        unsee(state, PARTS, 7 * MINUTE);
        fail(state, "servers: MasterNotRunningException: the master did not answer in 60000 ms");
      }
      case "unseen-hanging" -> state.put("age_ms", 4 * MINUTE).put("looking_ms", 3 * MINUTE);
      case "partial" -> {
        unsee(state, List.of("repairs", "slow"), 3 * MINUTE);
        state.putNull("jobs").putNull("findings").put("diagnosed", false);
        ((ObjectNode) state.get("seen")).remove(List.of("jobs", "findings"));
        ((ObjectNode) state.at("/tables/1")).putNull("indexes").putNull("statistics");
        ((ObjectNode) state.at("/tables/2/seen")).put("indexes", NOW - 2 * MINUTE);
        fail(state, "repairs: RetriesExhaustedException: region server rs2 does not answer");
        fail(state, "indexes of table 'shop:t001': CallTimeoutException: 60000 ms");
        fail(state, "jobs: AccessDeniedException: needs ADMIN");
      }
      default -> {}
    }
    return state;
  }

  private static void fail(ObjectNode state, String failure) {
    ((ArrayNode) state.get("failures")).add(failure);
  }

  private static void unsee(ObjectNode state, List<String> parts, long since) {
    parts.forEach(part -> ((ObjectNode) state.get("seen")).put(part, NOW - since));
  }

  private static ObjectNode nothing() {
    ObjectNode state = JSON.createObjectNode();
    state.put("at", NOW).put("every_ms", 5_000).put("age_ms", 1_200).putNull("looking_ms");
    state.putObject("seen");
    for (String part : List.of("cluster", "servers", "tables", "more_tables", "repairs", "jobs")) {
      state.putNull(part);
    }
    state.putNull("slow").putNull("findings").put("diagnosed", false);
    state.putArray("failures");
    state.putArray("history");
    return state;
  }

  private static ObjectNode whole(int tables) {
    ObjectNode state = nothing();
    PARTS.forEach(part -> ((ObjectNode) state.get("seen")).put(part, NOW));
    boolean large = tables > 10;
    state
        .putObject("cluster")
        .put("id", "c")
        .put("hbase", "2.6.1")
        .put("spyhop", "0.2.0")
        .put("master", "master.example,16000,1")
        .put("dead_servers", large ? 2 : 0);
    servers(state.putArray("servers"), large ? 40 : 3);
    ArrayNode all = state.putArray("tables");
    for (int i = 0; i < tables; i++) {
      table(all.addObject(), i, large);
    }
    state.put("more_tables", large ? 23 : 0).put("repairs", large ? 1_204 : 0);
    job(state.putArray("jobs").addObject());
    slow(state.putArray("slow").addObject());
    finding(state.putArray("findings"), large);
    state.put("diagnosed", true);
    history(state.putArray("history"));
    return state;
  }

  private static void servers(ArrayNode servers, int count) {
    for (int i = 0; i < count; i++) {
      ObjectNode server =
          servers
              .addObject()
              .put("name", "region-server-" + i + ".rack7.example,16020,1790000000000")
              .put("regions", 120 + i)
              .put("requests_per_second", 1_500 + 31 * i)
              .put("heap_used_mb", 9_000)
              .put("heap_max_mb", 16_384);
      ObjectNode metrics = server.putObject("metrics");
      if (i % 7 == 2) {
        server.put("no_metrics", "its info port is off");
        continue;
      }
      server.putNull("no_metrics");
      metrics
          .put("SpyhopWaitingJobs", i)
          .put("SpyhopUncoveredFiles", 2 * i)
          .put("SpyhopUncoveredBytes", 3e8 * i)
          .put("SpyhopDeferredFiles", 0)
          .put("SpyhopIndexedQueries", 1e6)
          .put("SpyhopFallbacks", 2e4)
          .put("SpyhopDirectoryRoom", i == 5 ? 6e8 : 4e11)
          .put("SpyhopDefects", i == 4 ? 1 : 0);
    }
  }

  private static void table(ObjectNode table, int i, boolean large) {
    table.put("name", String.format("shop:t%03d", i)).put("enabled", i % 31 != 30).putObject("seen");
    for (String part : List.of("enabled", "indexes", "statistics", "views", "buckets", "rebalance")) {
      ((ObjectNode) table.get("seen")).put(part, NOW);
    }
    ArrayNode indexes = table.putArray("indexes");
    for (int j = 0; j < 1 + i % 3; j++) {
      boolean behind = large && i % 17 == 3;
      ObjectNode index =
          indexes
              .addObject()
              .put("name", List.of("price", "customer", "day").get(j))
              .put("kind", List.of("LOCAL", "GLOBAL", "STATS").get(j))
              .put("column", "d:" + List.of("price", "customer", "day").get(j))
              .put("type", "TEXT_DOUBLE")
              .put("state", behind ? "BUILDING" : "ACTIVE")
              .put("done", behind ? 20 : 64)
              .put("of", 64)
              .put("unit", j == 0 ? "HFiles" : "regions built")
              .put("regions", 64)
              .put("entries", 1_234_567L * (i + 1))
              .put("undecodable", i % 5 == 0 ? 12 : 0)
              .put("bytes", 98_765_432L * (i + 1))
              .put("pending", behind ? 9 : 0)
              .put("build", behind && j == 1 ? "1200000 rows read, 340.5 of 910.0 MB, 120 s left" : null)
              .put("repaired_up_to", j == 1 ? Long.valueOf(NOW - MINUTE) : null)
              .put("answered", j == 0 ? Integer.valueOf(large && i == 40 ? 60 : 64) : null);
      ArrayNode errors = index.putArray("errors");
      if (large && i % 29 == 11) {
        errors.add("2 regions: no index files can be kept in '/var/lib/spyhop' (Permission denied)");
      }
    }
    statistics(table.putArray("statistics").addObject());
    table.put("more_regions", 63);
    ArrayNode views = table.putArray("views");
    if (i % 4 == 1) {
      ObjectNode view =
          views
              .addObject()
              .put("family", "d")
              .put("regions", 64)
              .put("answered", 62)
              .put("hfiles", 410)
              .put("in_view", 390)
              .put("bytes", 77_000_000)
              .put("pending", 3);
      view.putArray("problems").add("a view of 9 HFiles does not fit into spyhop.view.memory");
    }
    if (i % 6 == 2) {
      ArrayNode shares =
          table.putObject("buckets").put("count", 64).put("homeless", large ? i % 4 : 0)
              .putArray("servers");
      shares.addObject().put("server", "rs1,16020,1").put("buckets", 33).put("bytes", 5e9);
      shares.addObject().put("server", "rs2,16020,1").put("buckets", 31).putNull("bytes");
      table
          .putObject("rebalance")
          .put("phase", i % 12 == 2 ? "BEGIN" : "ABORTED")
          .put("running", i % 12 == 2)
          .put("user", "ann")
          .put("since", NOW - 3 * MINUTE)
          .put("moved", 12)
          .put("left", i % 12 == 2 ? 4 : 0)
          .put("missing", 2)
          .put("held_millis", 13_200)
          .put("note", i % 12 == 2 ? "" : "none of the servers that shall have buckets lives");
    } else {
      table.putNull("buckets").putNull("rebalance");
    }
  }

  private static void statistics(ObjectNode region) {
    region
        .put("region", "0123456789abcdef")
        .put("server", "rs1,16020,1")
        .put("start_row", "")
        .put("unknown", "")
        .put("memstore_empty", true)
        .put("version", 3);
    region
        .putArray("columns")
        .addObject()
        .put("name", "d:price")
        .put("type", "TEXT_DOUBLE")
        .put("bounds", "0.02..104949.5, bloom filter 31% full")
        .put("bytes", 4_096);
  }

  private static void job(ObjectNode job) {
    job.put("kind", "FLUSH").put("jobs", 812).put("failed", 3).put("mean_wait_ms", 4.2)
        .put("mean_run_ms", 820);
    ArrayNode waits = job.putArray("wait_ms");
    for (int i = 0; i < 10; i++) {
      waits.add(i * 3);
    }
  }

  private static void slow(ObjectNode query) {
    query
        .put("ended_at", NOW - 4 * MINUTE)
        .put("table", "shop:t000")
        .put("predicate", "price BETWEEN 100 AND 900 AND customer = '<img src=x>'")
        .put("region", "0123456789abcdef")
        .put("server", "rs1,16020,1")
        .put("path", "SCAN")
        .put("driving", "")
        .put("reason", "the index would read 1,204,551 records")
        .putNull("fallback")
        .putNull("ms")
        .putNull("rows")
        .putNull("records")
        .putNull("candidates")
        .putNull("rereads")
        .putNull("uncovered_cells")
        .put("scan_cells", 4_000_000)
        .put("files_covered", 9)
        .put("files_missing", 1)
        .put("memstore_cells", 17);
    query.putArray("estimates");
  }

  private static void finding(ArrayNode findings, boolean large) {
    if (large) {
      findings
          .addObject()
          .put("where", "region server rs5.example,16020,1790000000000")
          .put("what", "572 MB are free in 'file:///var/lib/spyhop'")
          .put("remedy", "make room, or name a larger directory in spyhop.ifile.dir");
    }
  }

  private static void history(ArrayNode history) {
    for (int i = 239; i >= 0; i--) {
      if (i > 150 && i < 180) {
        continue; // nobody looked
      }
      boolean seen = i < 60 || i > 70;
      ObjectNode sample = history.addObject().put("at", NOW - i * 15_000L);
      sample
          .put("servers", seen ? Integer.valueOf(i < 100 ? 40 : 42) : null)
          .put("dead", seen ? Integer.valueOf(i < 100 ? 2 : 0) : null)
          .put("requests", seen ? Long.valueOf(Math.round(40_000 + 9_000 * Math.sin(i / 9.0))) : null)
          .put("indexed", seen ? Double.valueOf(300 + 200 * Math.sin(i / 20.0)) : null)
          .put("plain", seen ? Double.valueOf(60 + 20 * Math.cos(i / 5.0)) : null)
          .put("uncovered_bytes", seen ? Double.valueOf(i % 40 * 1e8) : null)
          .put("waiting_jobs", seen ? Double.valueOf(i % 40) : null)
          .put("repairs", seen ? Long.valueOf(1_204 - i) : null)
          .put("findings", 1);
    }
  }
}
