package io.spyhop.server.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostModelTest {
  private static Configuration conf(String name, String nanos) {
    Configuration conf = new Configuration(false);
    conf.set(CostModel.PREFIX + name, nanos);
    return conf;
  }

  @Test
  void settingsAreTaken() {
    assertThat(CostModel.of(new Configuration(false))).isEqualTo(CostModel.DEFAULT);
    assertThat(CostModel.of(conf("cell", "5")).scannedCell()).isEqualTo(5);
    assertThat(CostModel.of(conf("record", "6.5")).record()).isEqualTo(6.5);
    assertThat(CostModel.of(conf("probe", "7")).probe()).isEqualTo(7);
    assertThat(CostModel.of(conf("reread", " 8 ")).reread()).isEqualTo(8);
    assertThat(CostModel.of(conf("setup", "9")).setUp()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "NaN", "Infinity", "1e10", "fast"})
  void whatIsNoCostIsTheDefault(String nanos) {
    assertThat(CostModel.of(conf("probe", nanos))).isEqualTo(CostModel.DEFAULT);
  }
}
