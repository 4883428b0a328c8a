package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class DeliSectionTest {
  @Test
  void onePageWithTablesAndPlotsAndNothingElse() throws Exception {
    String page = HtmlPage.of("page", List.of(Results.here(DeliSection.of(DeliSample.report()))));
    assertThat(page).contains("Figure 7", "Figure 8", "Figure 9", "Table II", "1.5");
    assertThat(page.split("<svg", -1)).hasSize(1 + 7);
    assertThat(page).doesNotContain("src=", "<link", "<script", "@import");
    assertThat(page).doesNotContain("url(http");
  }

  @Test
  void plotsAreWellFormed() throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    for (String svg : DeliCharts.all(DeliSample.report())) {
      Document plot =
          factory
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
      assertThat(plot.getDocumentElement().getTagName()).isEqualTo("svg");
    }
  }

  @Test
  void tablesShowBothSidesAndTheirRatio() {
    assertThat(DeliTables.lines(DeliSample.report()))
        .anySatisfy(l -> assertThat(l).contains("batches of 100", "30,000", "6,000", "5.00"))
        .anySatisfy(l -> assertThat(l).contains("deferred", "3.00"))
        .anySatisfy(l -> assertThat(l).contains("multi", "before", "42"));
  }
}
