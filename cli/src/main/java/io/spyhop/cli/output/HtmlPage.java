package io.spyhop.cli.output;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Figures of benchmarks as one HTML page that needs no other file. Stateless. */
public final class HtmlPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>%s</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <style>
      :root { color-scheme: light dark; --line: #d0d4da; --head: #f2f4f7; --ink: #1c2127;
        --paper: #ffffff; --shade: #0000002e; }
      @media (prefers-color-scheme: dark) {
        :root { --line: #3a424d; --head: #232a33; --ink: #e4e8ee; --paper: #161b22;
          --shade: #000000b0; } }
      * { box-sizing: border-box; }
      body { font-family: system-ui, sans-serif; line-height: 1.45; margin: 0 auto; padding: 1.2em;
        max-width: 82em; color: var(--ink); background: var(--paper); }
      h1 { font-size: 1.8em; }
      h2 { font-size: 1.35em; margin-top: 2.2em; border-bottom: 1px solid var(--line);
        padding-bottom: 0.2em; }
      h3 { font-size: 1.05em; margin-top: 1.6em; }
      /* What can be scrolled sideways has a shadow at that side. */
      .scroll { overflow-x: auto; max-width: 100%%; background:
        linear-gradient(to right, var(--paper) 40%%, transparent) left / 3em 100%% local no-repeat,
        linear-gradient(to left, var(--paper) 40%%, transparent) right / 3em 100%% local no-repeat,
        linear-gradient(to right, var(--shade), transparent) left / 1em 100%% no-repeat,
        linear-gradient(to left, var(--shade), transparent) right / 1em 100%% no-repeat; }
      table { border-collapse: collapse; font-size: 0.84em; font-variant-numeric: tabular-nums; }
      th, td { border: 1px solid var(--line); padding: 0.25em 0.55em; text-align: left;
        white-space: nowrap; }
      th { background: var(--head); }
      .right { text-align: right; }
      .plots { display: grid; gap: 1em;
        grid-template-columns: repeat(auto-fill, minmax(min(100%%, 34em), 1fr)); }
      .plots figure { margin: 0; background: #ffffff; border-radius: 4px; overflow: hidden; }
      @media (prefers-color-scheme: dark) {
        .plots figure { filter: invert(0.91) hue-rotate(180deg); } }
      svg { width: 100%%; height: auto; display: block; }
      pre { background: var(--head); padding: 0.8em; overflow-x: auto; }
      @media (max-width: 45em) {
        body { padding: 0.8em; }
        h1 { font-size: 1.4em; }
        h2 { font-size: 1.2em; }
        th, td { padding: 0.25em 0.4em; }
      }
      </style></head><body>
      <h1>%s</h1>
      """;

  private HtmlPage() {}

  /** The page. */
  public static String of(String title, List<Results> results) {
    StringBuilder page = new StringBuilder(HEAD.formatted(escaped(title), escaped(title)));
    page.append("<p>Made ").append(Instant.now().truncatedTo(ChronoUnit.SECONDS)).append("</p>\n");
    page.append("<nav><ol>\n");
    for (int i = 0; i < results.size(); i++) {
      String heading = escaped(results.get(i).section().heading());
      page.append("<li><a href=\"#r%d\">%s</a></li>%n".formatted(i, heading));
    }
    page.append("</ol></nav>\n");
    for (int i = 0; i < results.size(); i++) {
      add(results.get(i), "r" + i, page);
    }
    return page.append("</body></html>\n").toString();
  }

  private static void add(Results results, String id, StringBuilder page) {
    Section section = results.section();
    page.append("<section id=\"")
        .append(id)
        .append("\">\n<h2>")
        .append(escaped(section.heading()))
        .append("</h2>\n");
    page.append("<p><code>spyhop ").append(escaped(section.command())).append("</code>, ");
    String when =
        results.when().map(Circumstances::toString).orElse("when and where is not in its results");
    page.append(escaped(when)).append("</p>\n");
    section.tables().forEach(t -> add(t, page));
    page.append("<h3>Plots</h3>\n<div class=\"plots\">\n");
    section.plots().forEach(p -> page.append("<figure>").append(p).append("</figure>\n"));
    page.append("</div>\n<h3>Settings</h3>\n<pre>")
        .append(escaped(Json.document(section.settings())))
        .append("</pre>\n</section>\n");
  }

  private static void add(TitledTable titled, StringBuilder page) {
    TextTable table = titled.table();
    page.append("<h3>").append(escaped(titled.title())).append("</h3>\n");
    page.append("<div class=\"scroll\"><table>\n");
    add("th", table.header(), table, page);
    table.rows().forEach(row -> add("td", row, table, page));
    page.append("</table></div>\n");
  }

  private static void add(String tag, List<String> cells, TextTable table, StringBuilder page) {
    page.append("<tr>");
    for (int i = 0; i < cells.size(); i++) {
      page.append('<').append(tag).append(table.isRight(i) ? " class=\"right\">" : ">");
      page.append(escaped(cells.get(i))).append("</").append(tag).append('>');
    }
    page.append("</tr>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
