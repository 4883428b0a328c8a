package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseLinesTest {
  @ParameterizedTest
  @ValueSource(strings = {"2.5.12-hadoop3", "2.5.0", "2.6.1-hadoop3", "2.6.6"})
  void fits(String version) throws IOException {
    HBaseLines.check(version);
  }

  @Test
  void fitsTheOneHere() throws IOException {
    HBaseLines.check(VersionInfo.getVersion());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.4.17", "3.0.0", "3.0.0-beta-1", "2.60.0", "2.7.0"})
  void refusesOthers(String version) {
    assertThatThrownBy(() -> HBaseLines.check(version))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(version)
        .hasMessageContaining("2.5 and 2.6");
  }
}
