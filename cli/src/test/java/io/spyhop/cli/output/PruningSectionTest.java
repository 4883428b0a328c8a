package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class PruningSectionTest {
  @Test
  void onePageWithAllFiguresAndNothingElse() throws Exception {
    String page =
        HtmlPage.of("page", List.of(Results.here(PruningSection.of(PruningSample.report()))));
    assertThat(page)
        .contains("Figures 9, 10, 13 and 15", "Figures 8 and 10", "Figure 11", "Figure 12")
        .contains("Figure 14", "Table 4", "4700");
    assertThat(page.split("<svg", -1)).hasSize(1 + 14);
    assertThat(page).doesNotContain("src=", "<link", "<script", "@import", "url(http");
  }

  @Test
  void plotsAreWellFormed() throws Exception {
    List<String> plots = PruningCharts.all(PruningSample.report());
    assertThat(plots).hasSize(14);
    for (String svg : plots) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Test
  void tablesShowBothSidesTheOracleTheRatioAndWhatIsAskedFor() {
    assertThat(PruningTables.lines(PruningSample.report()))
        .anySatisfy(
            l ->
                assertThat(l.replaceAll(" +", " "))
                    .contains("Q-42 read-only 52.00 20.25 18.50 52.00 3.00 12.50 50.00 4.00 1.50"));
  }
}
