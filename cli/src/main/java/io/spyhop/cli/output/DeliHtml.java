package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import java.io.IOException;

/**
 * The figures of {@code spyhop bench deli} as one HTML page that needs no other file. Stateless.
 */
public final class DeliHtml {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Spyhop: bench deli</title>
      <style>
      body { font-family: sans-serif; margin: 2em; }
      svg { max-width: 100%; height: auto; margin: 0.5em; }
      pre { background: #f4f4f4; padding: 1em; overflow-x: auto; }
      </style></head><body>
      <h1>Deferred and synchronous maintenance of global indexes</h1>
      """;

  private DeliHtml() {}

  /**
   * The page.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static String page(DeliReport report) throws IOException {
    System.setProperty("java.awt.headless", "true");
    StringBuilder page = new StringBuilder(HEAD);
    for (DeliTables.Titled t : DeliTables.all(report)) {
      page.append("<h2>").append(escaped(t.title())).append("</h2>\n<pre>");
      t.table().lines().forEach(l -> page.append(escaped(l)).append('\n'));
      page.append("</pre>\n");
    }
    page.append("<h2>Plots</h2>\n");
    DeliCharts.all(report).forEach(svg -> page.append(svg).append('\n'));
    page.append("<h2>Settings</h2>\n<pre>")
        .append(escaped(Json.document(report.settings())))
        .append("</pre>\n</body></html>\n");
    return page.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
