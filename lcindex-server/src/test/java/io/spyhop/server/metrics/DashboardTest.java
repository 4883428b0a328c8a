package io.spyhop.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.http.prometheus.PrometheusText;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code conf/grafana-spyhop.json}: every name in it is one that a running server exports. */
@Tag(TestCluster.NEEDS_2_6)
class DashboardTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "")).resolve("../conf/grafana-spyhop.json");
  private static final String PREFIX =
      "coprocessor_region_server_cp_io_spyhop_server_hook_spyhop_region_server_";

  /** Whatever is called like a metric, ours or not. */
  private static final Pattern NAME = Pattern.compile("\\b[a-z]+(?:_[a-z0-9]+){3,}");

  private static final Pattern EXPORTED = Pattern.compile("^(\\w+)\\{", Pattern.MULTILINE);

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .map(name -> name.replace("{", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> queried() throws IOException {
    StringBuilder queries = new StringBuilder();
    JsonObject dashboard = JsonParser.parseString(Files.readString(FILE)).getAsJsonObject();
    for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
      if (panel.getAsJsonObject().has("targets")) {
        for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
          queries.append(target.getAsJsonObject().get("expr").getAsString()).append('\n');
        }
      }
    }
    queries.append(dashboard.getAsJsonObject("templating"));
    return names(NAME, queries.toString());
  }

  @Test
  void everyNameIsExported() throws IOException {
    Set<String> queried = queried();
    assertThat(queried).hasSizeGreaterThan(40).allMatch(name -> name.startsWith(PREFIX));
    TestCluster.get();
    Set<String> exported =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> names(EXPORTED, PrometheusText.now()),
                names -> names.stream().anyMatch(n -> n.startsWith(PREFIX + "spyhop_records")));
    assertThat(exported).containsAll(queried);
  }
}
