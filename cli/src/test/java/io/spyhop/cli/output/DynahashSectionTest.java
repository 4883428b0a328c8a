package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.dynahash.DynahashReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class DynahashSectionTest {
  @Test
  void tablesShowWhatWasMovedAndTheLeastThatMustBe() {
    List<String> lines =
        DynahashTables.lines(DynahashSample.report()).stream()
            .map(l -> l.strip().replaceAll(" +", " "))
            .toList();
    assertThat(lines)
        .contains("dynahash remove 5.50 1.5 MB 1.5 MB 1.00 1.13 0 3 1537 yes")
        .contains("rehash remove 30.00 60.0 MB 1.5 MB 40.00 1.13 0 3 1537 yes")
        .contains("unordered scan 1,200.0 1,230.0 1.03 NO")
        .contains("0.80 9.00 30.0 60.0 32.0 2.00 8,123 300 yes")
        .anyMatch(l -> l.contains("10 s between buckets"))
        .contains("bucketed 240.0 180.0 333.0 yes");
  }

  @Test
  void aWrongAnswerIsSeenInTheWholeReport() {
    assertThat(DynahashSample.report().allEqual()).isFalse();
  }

  @Test
  void aPlotForEachFigure() throws Exception {
    assertThat(DynahashCharts.all(DynahashSample.report()))
        .hasSize(5)
        .allSatisfy(svg -> assertThat(svg).startsWith("<svg"));
  }

  @Test
  void whatWasNotMeasuredIsNotPlotted() throws Exception {
    DynahashReport none =
        new DynahashReport(
            DynahashSample.report().settings(), List.of(), List.of(), List.of(), List.of());
    assertThat(DynahashCharts.all(none)).isEmpty();
  }
}
