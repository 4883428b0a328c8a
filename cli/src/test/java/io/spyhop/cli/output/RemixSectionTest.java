package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RemixSectionTest {
  @Test
  void tablesShowAllSidesAndTheirRatios() {
    List<String> lines =
        RemixTables.lines(RemixSample.report()).stream()
            .map(l -> l.strip().replaceAll(" +", " "))
            .toList();
    assertThat(lines)
        .contains("8 ROW_INDEX_V1 seek50 process 20.0 50.0 16.0 2.50 1.25 yes")
        .contains("8 2.39 4.80 2.70 yes")
        .contains("flush 19.5 17.8 0.91 yes")
        .contains("defaults 50.0 MB 202.6 MB 4.05 20.0 yes")
        .contains("scans views 2,076 1.50 9 NO")
        .contains("27,400.0 11,142.0 31.2 357.1 50 52.0 yes");
  }

  @Test
  void aPlotForEachReadAndOneOfWhatIsWritten() throws Exception {
    assertThat(RemixCharts.all(RemixSample.report())).hasSize(3);
  }
}
