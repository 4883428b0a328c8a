package io.spyhop.core.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseLinesTest {
  @ParameterizedTest
  @ValueSource(strings = {"2.5.12-hadoop3", "2.5.0", "2.6.1-hadoop3", "2.6.6"})
  void fits(String version) {
    HBaseLines.check(version, "use another");
    assertThat(HBaseLines.lackOf(version).isPresent()).isEqualTo(version.startsWith("2.5."));
  }

  @Test
  void fitsTheOneHere() {
    HBaseLines.check(VersionInfo.getVersion(), "use another");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.4.17", "3.0.0", "3.0.0-beta-1", "2.60.0", "2.7.0"})
  void refusesOthers(String version) {
    assertThatThrownBy(() -> HBaseLines.check(version, "use another"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("Spyhop does not fit HBase " + version + ", but 2.5 and 2.6: use another");
    assertThat(HBaseLines.lackOf(version)).isEmpty();
  }
}
