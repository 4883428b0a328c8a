package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static List<String> lines(Layout layout, String sample) throws IOException {
    return layout.lines(Samples.row(sample)).stream()
        .map(l -> l.strip().replaceAll(" +", " "))
        .toList();
  }

  @Test
  void mdrq() throws IOException {
    assertThat(lines(new MdrqLayout(), "mdrq"))
        .contains("flushed columnar 1,000 4 1 0.0 0.0 MB 0.0 MB 56,000 28,000 0.50")
        .contains(
            "MDRQ-A flushed columnar 7 totalprice 1,234 0 95.0 90.0 3.0 1.0 2.0 30.00 3.00 yes",
            "MDRQ-A flushed columnar 1.0 5.0 2.0 6.0 3.0 7.0 4.0 8.0",
            "IN-totalprice columnar plain 3.0 4.0 1.0 2.0 17",
            "IN-totalprice columnar Spyhop 3.0 5.0 1.0 2.0 1,800");
    assertThat(MdrqLayout.last(Samples.row("mdrq"))).isEqualTo("flushed, columnar: MDRQ-A 30.00");
  }

  @Test
  void aWrongAnswerStandsOut() throws IOException {
    assertThat(MdrqLayout.comparison(Samples.row("demo").rows("queries")).get(1))
        .matches("MDRQ-B +1,234 +totalprice +12 +10\\.5 +2\\.1 +5\\.00 +NO");
  }

  @Test
  void deli() throws IOException {
    assertThat(lines(new DeliLayout(), "deli"))
        .contains("batches of 100, ops/s 80,000 30,000 6,000 5.00 0.38")
        .contains("batch p99 10.00 20.00 90.00 0.22 2.00")
        .contains("0.0 2 1 2.00 1.00 / 2.00 1.00 / 2.00 3.00 / 4.00 3.00 / 4.00")
        .contains("point 1.00 2.00 2.00 2.50")
        .contains("multi before 1.50 1.00 42 [1.5]")
        .contains("deferred 1.00 2.00 3.00 0 5 5");
  }

  @Test
  void pruning() throws IOException {
    assertThat(lines(new PruningLayout(), "pruning"))
        .contains(
            "Q-42 read-only 52.00 20.25 18.50 52.00 3.00 12.50 50.00 4.00 1.50 55.00 yes",
            "Q-55 partitions-256k 80.00 20.00 900.00 300.00 0.50 120.00 1.00 18.00 0.10 490.00",
            "Q-55 write-500 500 490 245 52.00 20.25 20.50",
            "bounded 6 60.00 20.00 30.50 1.50 300.00 0.50 100.00 900.00 20.25 0.00 490",
            "Q-42 12.50 80.00 20.00 18.00 4.00 280.00 220.00 215.00 1.27 yes",
            "50 2 2.00 1.25 1.00 1.25",
            "1000 2.00 2.04 +2.0% +3.0%",
            "item 19 2584 2584 4700",
            "Q-55 20.00 14000 280,000.00 10.00 3000000 30,000,000.00");
  }

  @Test
  void dynahash() throws IOException {
    assertThat(lines(new DynahashLayout(), "dynahash"))
        .contains("dynahash remove 5.50 1.5 MB 1.5 MB 1.00 1.13 0 3 1537 yes")
        .contains("rehash remove 30.00 60.0 MB 1.5 MB 40.00 1.13 0 3 1537 yes")
        .contains("unordered scan 1,200.0 1,230.0 1.03 NO")
        .contains("scan of one key 400.00 440.00 1.10 1.00 yes")
        .contains("0.80 9.00 30.0 60.0 32.0 2.00 8,123 300 yes")
        .anyMatch(l -> l.contains("10 s between buckets"))
        .contains("bucketed 240.0 180.0 333.0 yes");
  }

  @Test
  void remix() throws IOException {
    assertThat(lines(new RemixLayout(), "remix"))
        .contains("8 ROW_INDEX_V1 seek50 process 20.0 50.0 16.0 2.50 1.25 yes")
        .contains("8 2.39 4.80 2.70 yes")
        .contains("flush 18 50.0 MB 25.0 MB 0.50 0.15 19.5 17.8 0.91 yes")
        .contains("defaults 50.0 MB 202.6 MB 4.05 20.0 yes")
        .contains("scans views 2,076 1.50 9 NO")
        .contains("27,400.0 11,142.0 31.2 357.1 50 52.0 yes");
  }

  @Test
  void aWrongAnswerIsSeenInTheWholeReport() throws IOException {
    assertThat(Samples.row("dynahash").allEqual()).isFalse();
    assertThat(Samples.row("mdrq").allEqual()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"mdrq, 1", "deli, 7", "pruning, 14", "dynahash, 5", "remix, 3", "order, 0"})
  void plotsAreWellFormed(String sample, int plots) throws Exception {
    Row report = Samples.row(sample);
    Layout layout = Results.LAYOUTS.stream().filter(l -> l.isOf(report)).findFirst().orElseThrow();
    List<String> svgs = layout.section(report).plots();
    assertThat(svgs).hasSize(plots);
    for (String svg : svgs) {
      assertThat(
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                  .getDocumentElement()
                  .getTagName())
          .isEqualTo("svg");
    }
  }

  @Test
  void whatWasNotMeasuredIsNotPlotted() throws IOException {
    Row none = Samples.row("dynahash");
    List.of("rebalance", "overhead", "under_load", "split").forEach(p -> none.and(p, List.of()));
    assertThat(new DynahashLayout().plots(none)).isEmpty();
  }
}
