package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code spyhop report}, on what the benchmarks write. */
class ReportTest {
  @TempDir private Path dir;

  private Path json(String name, Object report) throws IOException {
    Path file = dir.resolve(name);
    Json.write(file, report);
    return file;
  }

  @Test
  void onePageOfAll() throws IOException {
    Path page = dir.resolve("report.html");
    Run run =
        Cli.run(
            "report",
            json("a.json", Samples.row("mdrq")).toString(),
            json("b.json", Samples.row("deli")).toString(),
            json("c.json", Samples.row("pruning")).toString(),
            json("d.json", Samples.row("remix")).toString(),
            json("e.json", Samples.row("order")).toString(),
            json("f.json", Samples.row("dynahash")).toString(),
            "--out",
            page.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("6 results are in '" + page + "'.\n");
    String text = Files.readString(page);
    assertThat(text.split("<h2>", -1)).hasSize(1 + 6);
    assertThat(text.split("<li><a href=\"#r", -1)).as("contents").hasSize(1 + 6);
    assertThat(text.split(", measured 20[0-9T:-]+Z with Spyhop ", -1)).hasSize(1 + 6);
    assertThat(text).contains("<section id=\"r5\">", " processors, ", " GB, ", ", Java ");
    assertThat(text).contains("MDRQ-A", "Figure 7", "Table 4");
    assertThat(text)
        .contains(
            "<tr><td>storage, of that without indexes</td><td class=\"right\">2.31</td>"
                + "<td class=\"right\">2.21</td></tr>")
        .contains("<td>writing, deferred / synchronous</td><td class=\"right\">3.00</td>");
    assertThat(text)
        .contains("<td>seek50</td>", "<td class=\"right\">2.50</td>")
        .contains("The ten orders of the highest price")
        .contains("<td class=\"right\">357.1</td><td class=\"right\">50</td>")
        .contains("<td>unordered scan</td>", "A server goes, and one comes");
    assertThat(text).doesNotContain("src=", "<link", "<script", "@import", "url(http");
  }

  /** As earlier versions have written it. */
  @Test
  void resultsThatDoNotSayWhen() throws IOException {
    Path file = Files.writeString(dir.resolve("old.json"), Json.document(Samples.row("deli")));
    Path page = dir.resolve("report.html");
    assertThat(Cli.run("report", file.toString(), "--out", page.toString()).code()).isZero();
    assertThat(page).content().contains("when and where is not in its results");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "", "no json", "{\"states\": 7}", "{\"all\": {}}"})
  void whatIsNoResult(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("results.json"), text);
    Path page = dir.resolve("report.html");
    Run run = Cli.run("report", file.toString(), "--out", page.toString());
    assertThat(run.err().lines()).singleElement().asString().contains("'" + file + "' has no res");
    assertThat(run.code()).isEqualTo(2);
    assertThat(page).doesNotExist();
  }

  @Test
  void noSuchFile() {
    Run run = Cli.run("report", "nowhere.json", "--out", dir.resolve("report.html").toString());
    assertThat(run.err()).startsWith("spyhop: cannot read 'nowhere.json'");
    assertThat(run.code()).isOne();
  }
}
