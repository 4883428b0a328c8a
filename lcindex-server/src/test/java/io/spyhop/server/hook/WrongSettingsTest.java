package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.conf.CheckedSettings;
import io.spyhop.server.index.global.GlobalSettings;
import io.spyhop.server.index.global.repair.RepairSettings;
import io.spyhop.server.index.local.directory.DirectorySettings;
import io.spyhop.server.query.plan.CostModel;
import io.spyhop.server.runtime.Settings;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wrong settings of region servers, all that docs/operations.md has, leave servers at work. */
class WrongSettingsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "")).resolve("../docs/operations.md");

  /** Settings, their defaults, and what is allowed. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`spyhop[^|]*) \\| [^|]* \\| ([^|]*) \\| ");

  private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");
  private static final Pattern RANGE = Pattern.compile("(\\S+) to (\\d+)");
  private static final String HUGE = "9".repeat(30);

  private final Logger log = Logger.getLogger(CheckedSettings.class.getName());
  private final StringWriter written = new StringWriter();
  private final WriterAppender appender = new WriterAppender(new SimpleLayout(), written);

  @BeforeEach
  void listen() {
    appender.setThreshold(Level.WARN);
    log.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    log.removeAppender(appender);
  }

  /** By setting, what is allowed. */
  private static Map<String, String> documented() throws IOException {
    String page = Files.readString(PAGE);
    String servers = page.substring(0, page.indexOf("Of clients:"));
    Map<String, String> allowed = new LinkedHashMap<>();
    for (MatchResult row : ROW.matcher(servers).results().toList()) {
      String range =
          row.group(2)
              .replace("the heap", Long.toString(Runtime.getRuntime().maxMemory()))
              .replace("a year", "31536000000");
      String prefix = "";
      for (MatchResult name : NAME.matcher(row.group(1)).results().toList()) {
        String setting = name.group(1).startsWith(".") ? prefix + name.group(1) : name.group(1);
        prefix = setting.substring(0, setting.lastIndexOf('.'));
        allowed.put(setting, range);
      }
    }
    return allowed;
  }

  private static List<String> wrong(String allowed) {
    List<String> values = new ArrayList<>(List.of("", "x", "-1", HUGE));
    Matcher range = RANGE.matcher(allowed);
    if (range.matches()) {
      values.add(Long.toString(Long.parseLong(range.group(2)) + 1));
      if (!range.group(1).equals("0")) {
        values.add("0");
      }
    } else {
      values.add("0");
    }
    return values;
  }

  private static List<Object> read(Configuration conf) {
    return List.of(
        Settings.of(conf),
        GlobalSettings.of(conf),
        GlobalSettings.handlers(conf),
        RepairSettings.of(conf),
        CostModel.of(conf),
        DirectorySettings.of(conf));
  }

  private List<String> lines() {
    List<String> lines = written.toString().lines().toList();
    written.getBuffer().setLength(0);
    return lines;
  }

  @Test
  void theDefaultIsUsedAndOneLineSaysSo() throws IOException {
    List<Object> usual = read(HBaseConfiguration.create());
    assertThat(lines()).isEmpty();
    Map<String, String> documented = documented();
    assertThat(documented).hasSizeGreaterThan(35);
    documented.forEach(
        (setting, allowed) -> {
          for (String value : wrong(allowed)) {
            Configuration conf = HBaseConfiguration.create();
            conf.set(setting, value);
            assertThat(read(conf)).as("%s=%s", setting, value).isEqualTo(usual);
            assertThat(lines())
                .as("%s=%s", setting, value)
                .singleElement()
                .asString()
                .startsWith("WARN - Setting " + setting + " is '" + value + "', but must be ")
                .contains(" " + allowed + ": its default ");
          }
        });
  }

  @Test
  void aServerOfWhichAllAreWrongWorks() throws Exception {
    MiniHBaseCluster cluster = TestCluster.get().util().getMiniHBaseCluster();
    Configuration conf = cluster.getConfiguration();
    Map<String, String> before = new HashMap<>();
    for (String setting : documented().keySet()) {
      before.put(setting, conf.get(setting));
      conf.set(setting, "x");
    }
    RegionServerThread started = null;
    try {
      lines();
      started = cluster.startRegionServerAndWait(30_000);
      assertThat(isOn(started.getRegionServer())).isTrue();
      String told = written.toString();
      assertThat(documented().keySet()).allMatch(s -> told.contains("Setting " + s + " is 'x'"));
    } finally {
      before.forEach(
          (setting, value) -> {
            if (value == null) {
              conf.unset(setting);
            } else {
              conf.set(setting, value);
            }
          });
      if (started != null) {
        started.getRegionServer().stop("the test is over");
        started.join(30_000);
        Awaitility.await("the master to forget the server")
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> TestCluster.get().admin().getRegionServers().size() == TestCluster.SERVERS);
      }
    }
  }

  private static boolean isOn(HRegionServer server) {
    return server.getRegionServerCoprocessorHost().findCoprocessor(SpyhopRegionServer.class).isOn();
  }
}
