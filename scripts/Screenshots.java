import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The browser's part of scripts/screenshots: pictures of pages by a headless Chromium, which it is
 * told over the DevTools protocol what to be: wide or a phone, light or dark. Fails if a page is
 * wider than the screen, cuts a text off, logs an error, or runs what the data says.
 *
 * <p>Arguments: the browser, the directory for the pictures, and pages as NAME=URL.
 */
public final class Screenshots {
  private static final int WIDE = 1280;
  private static final int PHONE = 390;
  private static final int HEIGHT = 844;
  private static final int PIECE = 1_800;
  private static final int MAX_HEIGHT = 10 * PIECE;
  private static final long PATIENCE_SECONDS = 60;

  /** What is to be seen on the console; the report is whole at once. */
  private static final String READY =
      "document.readyState === 'complete' && (!document.getElementById('all')"
          + " || !document.getElementById('all').hidden || !document.getElementById('ask').hidden)";

  private static final String OPEN =
      "document.querySelectorAll('details').forEach(d => d.open = true)";

  /** Texts that end where their box does, whatever else they say. */
  private static final String CUT_OFF =
      "JSON.stringify([...document.querySelectorAll('body *')].filter(e => {"
          + "const s = getComputedStyle(e); return s.display !== 'none' && s.overflowX === 'hidden'"
          + " && e.scrollWidth > e.clientWidth + 1; }).map(e => e.tagName + '.' + e.className"
          + " + ': ' + e.textContent.slice(0, 60)))";

  /** A cluster that cannot be seen must not look like one that is well. */
  private static final String LOOKS_WELL =
      "document.getElementById('banner').hidden || !document.getElementById('live').matches('.off')"
          + " || /none is dead|seen now/.test(document.body.innerText)";

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final List<String> wrong = new ArrayList<>();
  private final StringBuilder partial = new StringBuilder();
  private WebSocket socket;
  private int calls;

  public static void main(String[] args) throws Exception {
    Path home = Files.createTempDirectory("chromium");
    Process browser =
        new ProcessBuilder(
                args[0],
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + home,
                "about:blank")
            .redirectErrorStream(true)
            .start();
    try {
      Screenshots screenshots = new Screenshots();
      screenshots.connect(port(browser));
      for (int i = 2; i < args.length; i++) {
        int equals = args[i].indexOf('=');
        screenshots.take(args[i].substring(0, equals), args[i].substring(equals + 1), args[1]);
      }
      screenshots.wrong.forEach(w -> System.err.println("screenshots: " + w));
      if (!screenshots.wrong.isEmpty()) {
        System.exit(1);
      }
    } finally {
      browser.destroy();
    }
  }

  private static int port(Process browser) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(browser.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.contains("DevTools listening on")) {
        return URI.create(line.substring(line.indexOf("ws://"))).getPort();
      }
    }
    throw new IOException("the browser ended by itself");
  }

  private void connect(int port) throws Exception {
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    String address = null;
    while (address == null) {
      String body = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
      for (JsonNode target : json.readTree(body)) {
        if (target.get("type").asText().equals("page")) {
          address = target.get("webSocketDebuggerUrl").asText();
        }
      }
    }
    socket = http.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).join();
    for (String domain : List.of("Page", "Runtime", "Log")) {
      call(domain + ".enable", json.createObjectNode());
    }
  }

  private final class Listener implements WebSocket.Listener {
    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      partial.append(data);
      if (last) {
        try {
          messages.add(json.readTree(partial.toString()));
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
        partial.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    ObjectNode message = json.createObjectNode().put("id", ++calls).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    while (true) {
      JsonNode answer = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("no answer to " + method);
      }
      if (answer.path("id").asInt() == calls) {
        if (answer.has("error")) {
          throw new IOException(method + ": " + answer.get("error"));
        }
        return answer.get("result");
      }
      note(answer);
    }
  }

  private void note(JsonNode event) {
    String method = event.path("method").asText();
    if (method.equals("Runtime.exceptionThrown")
        || method.equals("Log.entryAdded")
            && event.at("/params/entry/level").asText().equals("error")
            && !event.at("/params/entry/text").asText().contains("401")) {
      wrong.add("the page logs " + event.get("params"));
    }
  }

  private JsonNode evaluate(String expression) throws Exception {
    return call(
            "Runtime.evaluate",
            json.createObjectNode().put("expression", expression).put("returnByValue", true))
        .at("/result/value");
  }

  private void take(String name, String url, String to) throws Exception {
    for (String scheme : List.of("light", "dark")) {
      for (int width : new int[] {WIDE, PHONE}) {
        take(url, width, scheme, Path.of(to, name + "-" + scheme + "-" + width));
      }
    }
  }

  private void take(String url, int width, String scheme, Path file) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        json.createObjectNode()
            .put("width", width)
            .put("height", HEIGHT)
            .put("deviceScaleFactor", 1)
            .put("mobile", width == PHONE));
    ObjectNode media = json.createObjectNode();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
    call("Page.navigate", json.createObjectNode().put("url", "about:blank"));
    call("Page.navigate", json.createObjectNode().put("url", url));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!evaluate("location.href !== 'about:blank' && " + READY).asBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException(url + " shows nothing");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    save(file.toString());
    check(file.toString());
    if (url.contains("/unseen-") && evaluate(LOOKS_WELL).asBoolean()) {
      wrong.add(file + ": a cluster that cannot be seen looks well");
    }
    if (evaluate("document.querySelectorAll('details').length").asInt() > 0) {
      evaluate(OPEN);
      save(file + "-open");
      check(file + "-open");
    }
  }

  private void check(String what) throws Exception {
    int wide = evaluate("document.documentElement.scrollWidth - innerWidth").asInt();
    if (wide > 0) {
      wrong.add(what + ": the page is " + wide + " pixels too wide");
    }
    String cut = evaluate(CUT_OFF).asText();
    if (!cut.equals("[]")) {
      wrong.add(what + ": cut off: " + cut);
    }
    if (evaluate("window.hostile === true").asBoolean()) {
      wrong.add(what + ": what the data says was run");
    }
  }

  /** In pieces that can be looked at. */
  private void save(String file) throws Exception {
    JsonNode size = call("Page.getLayoutMetrics", json.createObjectNode()).get("cssContentSize");
    int height = Math.min(MAX_HEIGHT, size.get("height").asInt());
    for (int from = 0; from < height; from += PIECE) {
      ObjectNode shot =
          json.createObjectNode().put("format", "png").put("captureBeyondViewport", true);
      shot.putObject("clip")
          .put("x", 0)
          .put("y", from)
          .put("width", size.get("width").asInt())
          .put("height", Math.min(PIECE, height - from))
          .put("scale", 1);
      String picture = call("Page.captureScreenshot", shot).get("data").asText();
      Path piece = Path.of(file + "-" + (from / PIECE + 1) + ".png");
      Files.write(piece, Base64.getDecoder().decode(picture));
    }
  }
}
