package io.spyhop.client.internal.admin;

import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.Diagnosis.Server;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.ServerHealth;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
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

  /** For all servers together. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<Server> healthy = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /** The least and the greatest difference that a server's clock can have from this one's. */
  private record Offset(String server, long least, long most) {}

  private final List<Offset> offsets = new ArrayList<>();

  private final Set<String> reachable = new HashSet<>();

  /**
   * A server's answer.
   *
   * @param before the clock when it was asked
   * @param after the clock when it had answered
   */
  private record Answer(ServerHealth health, long before, long after) {}

  /** What findings of a region server say where they are. */
  static String nameOf(ServerName server) {
    return "region server " + server;
  }

  /**
   * Asks servers side by side, and waits for all of them for a while.
   *
   * @param servers by what messages call them
   * @throws AccessDeniedException if the caller may not
   */
  void ask(Map<String, CoprocessorRpcChannel> servers, ExecutorService pool) throws IOException {
    Map<String, Future<Answer>> asked = new LinkedHashMap<>();
    servers.forEach((name, server) -> asked.put(name, pool.submit(() -> ask(server))));
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (Map.Entry<String, Future<Answer>> e : asked.entrySet()) {
      await(e.getKey(), e.getValue(), end);
    }
  }

  private static Answer ask(CoprocessorRpcChannel server) throws IOException {
    long before = System.currentTimeMillis();
    byte[] answer = ServerCalls.ask(server, Question.HEALTH, new byte[0]);
    return new Answer(ServerHealth.decode(answer), before, System.currentTimeMillis());
  }

  private void await(String name, Future<Answer> asked, long end) throws IOException {
    try {
      answered(name, asked.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      asked.cancel(true);
      String what = "does not answer within " + PATIENCE.toSeconds() + " s";
      findings.add(new Finding(name, what, "see its log, and what its threads do"));
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while asking the servers", e);
    } catch (ExecutionException e) {
      LOG.debug("{} does not say how it is", name, e);
      Optional<AccessDeniedException> denied = Refusals.find(e, AccessDeniedException.class);
      if (denied.isPresent()) {
        throw denied.get();
      }
      findings.add(silent(name, e.getCause()));
    }
  }

  private void answered(String name, Answer answer) {
    ServerHealth health = answer.health;
    reachable.add(name);
    healthy.add(new Server(name, health.release()));
    offsets.add(new Offset(name, health.clock() - answer.after, health.clock() - answer.before));
    health.troubles().forEach(t -> findings.add(new Finding(name, t.what(), t.remedy())));
  }

  /** Whether a region server has answered, be it that it knows nothing of Spyhop. */
  boolean isReachable(ServerName server) {
    return reachable.contains(nameOf(server));
  }

  private Finding silent(String name, Throwable e) {
    if (Refusals.find(e, ConnectException.class).isPresent()) {
      return new Finding(
          name, "does not answer: nothing listens there", "see in its log why it ended, start it");
    }
    if (Refusals.find(e, UnknownProtocolException.class).isPresent()) {
      reachable.add(name);
      return new Finding(
          name,
          "Spyhop is not loaded",
          "put its jar into HBase's lib/ and the properties of conf/hbase-site-spyhop.xml into"
              + " hbase-site.xml there, and restart the server");
    }
    String text = Refusals.text(e);
    if (text.contains(ServerCalls.UNKNOWN_QUESTION)) {
      reachable.add(name);
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
