package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Cluster;
import io.spyhop.cli.console.Snapshot.Server;
import io.spyhop.client.Diagnosis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Snapshots of tests. */
final class Snapshots {
  private Snapshots() {}

  /** Of a cluster with some servers, of which all parts but its tables were seen. */
  static Snapshot of(
      long at, long everyMs, List<Server> servers, int dead, List<Diagnosis.Finding> findings) {
    Map<String, Long> seen = new HashMap<>();
    List.of("cluster", "servers", "repairs", "findings").forEach(part -> seen.put(part, at));
    return new Snapshot(
        at,
        everyMs,
        0,
        null,
        seen,
        new Cluster("id", "2.6.1", "0.2.0", "host,16000,1", dead),
        servers,
        null,
        null,
        7L,
        List.of(),
        List.of(),
        findings,
        true,
        List.of(),
        List.of());
  }

  /** A server with counters. */
  static Server server(String name, Map<String, Double> metrics) {
    return new Server(name, 3, 100, 1, 2, metrics, null);
  }
}
