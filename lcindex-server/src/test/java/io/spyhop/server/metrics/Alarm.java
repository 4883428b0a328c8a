package io.spyhop.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A rule of {@code conf/prometheus-spyhop.yml}: a metric, or how much it has grown, over or under a
 * bound.
 *
 * @param expression as Prometheus has it
 */
record Alarm(String name, String expression) {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "")).resolve("../conf/prometheus-spyhop.yml");

  private static final Pattern VALUE =
      Pattern.compile("(?m)^(\\w+_spyhop_region_server_\\w+)\\{[^}]*} (\\S+)$");

  private static final Pattern RULE = Pattern.compile("- alert: (\\w+)\\s+expr: (.+)");
  private static final Pattern EXPRESSION =
      Pattern.compile("(?:(?:increase|delta)\\()?(\\w+)(\\[\\w+]\\))? ([<>]) (\\d+)");

  static List<Alarm> all() throws IOException {
    List<MatchResult> rules = RULE.matcher(Files.readString(FILE)).results().toList();
    return rules.stream().map(r -> new Alarm(r.group(1), r.group(2))).toList();
  }

  /** The metrics of a server, by what it shows at {@code /prometheus}. */
  static Map<String, Double> values(String prometheus) {
    return VALUE
        .matcher(prometheus)
        .results()
        .collect(Collectors.toMap(m -> m.group(1), m -> Double.valueOf(m.group(2)), (a, b) -> b));
  }

  /** The metric that it looks at. */
  String metric() {
    return parsed().group(1);
  }

  /** Whether it fires, by the values of metrics at the beginning and now. */
  boolean fires(Map<String, Double> before, Map<String, Double> now) {
    Matcher m = parsed();
    double value = now.get(m.group(1)) - (m.group(2) == null ? 0 : before.get(m.group(1)));
    double bound = Double.parseDouble(m.group(4));
    return m.group(3).equals(">") ? value > bound : value < bound;
  }

  private Matcher parsed() {
    Matcher m = EXPRESSION.matcher(expression);
    if (!m.matches()) {
      throw new IllegalArgumentException(name + " is not understood: " + expression);
    }
    return m;
  }
}
