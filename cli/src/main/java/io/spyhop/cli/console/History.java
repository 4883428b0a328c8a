package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Sample;
import io.spyhop.cli.console.Snapshot.Server;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last hour of a cluster in at most 240 samples, one in 15 seconds. Between two of them may be
 * any time, as nothing is looked at while no page is open. Not thread-safe.
 */
final class History {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long APART = Duration.ofSeconds(15).toMillis();

  /** Counters that are so old say nothing of now. */
  private static final long COUNTERS_LAST = Duration.ofMinutes(2).toMillis();

  private final Deque<Sample> samples = new ArrayDeque<>();
  private Map<String, Map<String, Double>> counters = Map.of();
  private long countedAt;

  /** Takes a sample of what was seen, unless the last one is younger than 15 seconds. */
  List<Sample> add(Snapshot seen) {
    if (samples.isEmpty() || seen.at() - samples.getLast().at() >= APART) {
      samples.add(sample(seen));
      if (seen.saw("servers")) {
        counters = counters(seen.servers());
        countedAt = seen.at();
      }
    }
    while (samples.getFirst().at() < seen.at() - HOUR) {
      samples.removeFirst();
    }
    return List.copyOf(samples);
  }

  private Sample sample(Snapshot s) {
    boolean servers = s.saw("servers");
    return new Sample(
        s.at(),
        servers ? s.servers().size() : null,
        servers ? s.cluster().deadServers() : null,
        servers ? s.servers().stream().mapToLong(Server::requestsPerSecond).sum() : null,
        servers ? rate(s, "SpyhopIndexedQueries") : null,
        servers ? rate(s, "SpyhopFallbacks") : null,
        servers ? sum(s, "SpyhopUncoveredBytes") : null,
        servers ? sum(s, "SpyhopWaitingJobs") : null,
        s.saw("repairs") ? s.repairs() : null,
        s.diagnosed() ? s.findings().size() : null);
  }

  private static Map<String, Map<String, Double>> counters(List<Server> servers) {
    Map<String, Map<String, Double>> all = new HashMap<>();
    servers.forEach(s -> all.put(s.name(), s.metrics()));
    return all;
  }

  /** Over the servers that have it; null if none does. */
  private static Double sum(Snapshot s, String metric) {
    Double sum = null;
    for (Server server : s.servers()) {
      Double value = server.metrics().get(metric);
      if (value != null) {
        sum = (sum == null ? 0 : sum) + value;
      }
    }
    return sum;
  }

  /** How fast a counter has grown, over the servers that had it then and now; null if none did. */
  private Double rate(Snapshot s, String metric) {
    long millis = s.at() - countedAt;
    if (millis <= 0 || millis > COUNTERS_LAST) {
      return null;
    }
    Double rate = null;
    for (Server server : s.servers()) {
      Double now = server.metrics().get(metric);
      Double before = counters.getOrDefault(server.name(), Map.of()).get(metric);
      if (now != null && before != null) {
        rate = (rate == null ? 0 : rate) + Math.max(0, now - before) * 1000 / millis;
      }
    }
    return rate;
  }
}
