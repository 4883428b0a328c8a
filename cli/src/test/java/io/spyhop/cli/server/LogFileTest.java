package io.spyhop.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.log4j.PropertyConfigurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogFileTest {
  @TempDir private Path dir;

  @AfterEach
  void logNowhere() {
    System.clearProperty("spyhop.log.to");
    System.clearProperty("spyhop.log.file");
    PropertyConfigurator.configure(LocalHBase.class.getResource("/log4j.properties"));
  }

  @Test
  void loggersThatWereMadeBeforeLogThereToo() throws IOException {
    Logger before = LoggerFactory.getLogger("before");
    before.warn("to nowhere");
    DataDirectory data = DataDirectory.of(dir);
    LocalHBase.logTo(data);
    before.warn("to the file");
    assertThat(data.log()).content().contains("to the file").doesNotContain("to nowhere");
  }
}
