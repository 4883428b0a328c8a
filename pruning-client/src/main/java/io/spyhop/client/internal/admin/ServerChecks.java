package io.spyhop.client.internal.admin;

import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.Diagnosis.Server;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.ServerHealth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what servers say of themselves. Not thread-safe. */
final class ServerChecks {
  private static final Logger LOG = LoggerFactory.getLogger(ServerChecks.class);

  /** Clocks that are so far apart, in milliseconds, are worth a look. */
  private static final long CLOCKS_APART = 1_000;

  private static final String ALL = "the servers";

  private final List<Server> healthy = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /** How far each server's clock can be from this one's, at least and at most. */
  private record Offset(String server, long least, long most) {}

  private final List<Offset> offsets = new ArrayList<>();

  /**
   * Asks one.
   *
   * @throws AccessDeniedException if the caller may not
   */
  void ask(String name, CoprocessorRpcChannel server) throws IOException {
    try {
      long before = System.currentTimeMillis();
      byte[] answer = ServerCalls.ask(server, ServerCalls.HEALTH_QUESTION, new byte[0]);
      long after = System.currentTimeMillis();
      ServerHealth health = ServerHealth.decode(answer);
      healthy.add(new Server(name, health.release()));
      offsets.add(new Offset(name, health.clock() - after, health.clock() - before));
      health.troubles().forEach(t -> findings.add(new Finding(name, t.what(), t.remedy())));
    } catch (IOException e) {
      LOG.debug("{} does not say how it is", name, e);
      Optional<AccessDeniedException> denied = Refusals.find(e, AccessDeniedException.class);
      if (denied.isPresent()) {
        throw denied.get();
      }
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      findings.add(silent(name, e));
    }
  }

  private static Finding silent(String name, IOException e) {
    if (Refusals.find(e, UnknownProtocolException.class).isPresent()) {
      return new Finding(
          name,
          "Spyhop is not loaded",
          "put its jar into HBase's lib/ and the properties of conf/hbase-site-spyhop.xml into"
              + " hbase-site.xml there, and restart the server");
    }
    String text = Refusals.text(e);
    if (text.contains(ServerCalls.UNKNOWN_QUESTION)) {
      return new Finding(
          name,
          "its release of Spyhop is older than this one and does not say how it is",
          "install this release there, and restart the server");
    }
    return new Finding(name, "does not answer: " + text, "see its log");
  }

  /** The servers that answered. */
  List<Server> healthy() {
    return healthy;
  }

  /** Everything found so far. */
  List<Finding> findings() {
    List<Finding> all = new ArrayList<>(findings);
    releases().ifPresent(all::add);
    clocks().ifPresent(all::add);
    return all;
  }

  private Optional<Finding> releases() {
    Map<String, List<String>> byRelease =
        healthy.stream()
            .collect(
                Collectors.groupingBy(
                    Server::release,
                    TreeMap::new,
                    Collectors.mapping(Server::name, Collectors.toList())));
    if (byRelease.size() <= 1) {
      return Optional.empty();
    }
    String which =
        byRelease.entrySet().stream()
            .map(e -> e.getKey() + " on " + String.join(", ", e.getValue()))
            .collect(Collectors.joining("; "));
    return Optional.of(
        new Finding(
            ALL,
            "they have different releases of Spyhop: " + which,
            "finish the upgrade: install one release everywhere"));
  }

  /** Whatever the calls took: clocks are apart only if no time of the calls explains it. */
  private Optional<Finding> clocks() {
    Offset behind = null;
    Offset ahead = null;
    for (Offset o : offsets) {
      behind = behind == null || o.most < behind.most ? o : behind;
      ahead = ahead == null || o.least > ahead.least ? o : ahead;
    }
    if (behind == null || ahead.least - behind.most < CLOCKS_APART) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            ALL,
            "the clock of "
                + ahead.server
                + " is "
                + (ahead.least - behind.most)
                + " ms or more ahead of that of "
                + behind.server,
            "synchronise the servers' clocks: the newest value of a cell is the one with the"
                + " highest timestamp"));
  }
}
