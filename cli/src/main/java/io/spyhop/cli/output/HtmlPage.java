package io.spyhop.cli.output;

import java.util.List;

/** The figures of a benchmark as one HTML page that needs no other file. Stateless. */
final class HtmlPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Spyhop: %s</title>
      <style>
      body { font-family: sans-serif; margin: 2em; }
      svg { max-width: 100%%; height: auto; margin: 0.5em; }
      pre { background: #f4f4f4; padding: 1em; overflow-x: auto; }
      </style></head><body>
      <h1>%s</h1>
      """;

  private HtmlPage() {}

  /** Plots can be drawn where there is no screen. Called before the first is. */
  static void prepare() {
    System.setProperty("java.awt.headless", "true");
  }

  /**
   * The page.
   *
   * @param command the benchmark
   * @param heading what it is about
   * @param plots pieces of SVG
   * @param settings what was asked for, as JSON
   */
  static String of(
      String command,
      String heading,
      List<TitledTable> tables,
      List<String> plots,
      Object settings) {
    StringBuilder page = new StringBuilder(HEAD.formatted(escaped(command), escaped(heading)));
    for (TitledTable t : tables) {
      page.append("<h2>").append(escaped(t.title())).append("</h2>\n<pre>");
      t.table().lines().forEach(l -> page.append(escaped(l)).append('\n'));
      page.append("</pre>\n");
    }
    page.append("<h2>Plots</h2>\n");
    plots.forEach(svg -> page.append(svg).append('\n'));
    page.append("<h2>Settings</h2>\n<pre>")
        .append(escaped(Json.document(settings)))
        .append("</pre>\n</body></html>\n");
    return page.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
