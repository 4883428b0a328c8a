package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.Question.Place;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.SlowQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.awaitility.Awaitility;

/** Ways that tell something beside answers: metrics, logs, messages of errors. Stateless. */
final class ToldWays {
  /** Every row, after so many comparisons that it takes long. */
  private static final String ALL =
      IntStream.range(0, 1_000)
          .mapToObj(i -> " AND loc <> 'nobody has " + i + "'")
          .collect(Collectors.joining("", "loc >= 'loc-0'", ""));

  private static final int TRIES = 30;

  private static final byte[] NONSENSE = {1, 2, 3};

  private ToldWays() {}

  /** Keeps what the slow log says. */
  private static final class Kept extends AppenderSkeleton {
    private final List<String> lines = new ArrayList<>();

    @Override
    protected synchronized void append(LoggingEvent event) {
      lines.add(event.getRenderedMessage());
    }

    synchronized List<String> lines() {
      return List.copyOf(lines);
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  /** The line about a query of the caller's; of no table any row key or value. */
  static Observation slowLog(Caller c) throws Exception {
    Logger log = Logger.getLogger("io.spyhop.server.query.SlowQueries");
    Kept kept = new Kept();
    log.addAppender(kept);
    try {
      Query slow = Query.where(ALL).hint("loc").pruning(false);
      Caller.Answer<?> answer =
          c.ask(
              () -> {
                for (int i = 0; i < TRIES && kept.lines().isEmpty(); i++) {
                  c.cells(slow);
                }
                return true;
              });
      for (String line : kept.lines()) {
        assertThat(line).doesNotContain("loc-", "nobody").contains("f:loc");
        c.checked(line);
      }
      if (answer.isRefused()) {
        assertThat(kept.lines()).isEmpty();
        return answer.refused();
      }
      return kept.lines().isEmpty()
          ? Observation.of(Outcome.NOTHING, List.of())
          : Observation.of(
              Outcome.NUMBERS, List.of(kept.lines().get(0).replaceFirst("\\d+ ms", "")));
    } finally {
      log.removeAppender(kept);
    }
  }

  /** What the server keeps of the slow queries of others, and of the caller. */
  static Observation slowQueries(Caller c) throws Exception {
    try (Spyhop others = Spyhop.connect(c.cluster().connection())) {
      Query slow = Query.where(ALL).hint("loc").pruning(false);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                try (RowCursor rows = others.table(c.data().name()).query(slow)) {
                  rows.forEach(row -> {});
                }
                return !others.admin().slowQueries().isEmpty();
              });
    }
    Caller.Answer<List<SlowQuery>> answer = c.ask(() -> c.spyhop().admin().slowQueries());
    if (answer.isRefused()) {
      return answer.refused();
    }
    for (SlowQuery query : answer.value().orElseThrow()) {
      c.checked(query.toString());
      assertThat(query.predicate()).contains("f:").doesNotContain("loc-", "nobody");
    }
    boolean none = answer.value().orElseThrow().isEmpty();
    return Observation.of(none ? Outcome.NOTHING : Outcome.ANSWERED, List.of());
  }

  /** All of Spyhop's beans, for any caller. */
  static Observation metrics(Caller c) throws Exception {
    for (String shown : beans()) {
      c.checked(shown);
      assertThat(shown).doesNotContain("kept", "loc-", "glob-", "stat-");
    }
    return Observation.of(Outcome.NUMBERS, List.of());
  }

  /**
   * Each attribute of Spyhop's beans. HBase takes all beans away for half a second after a region
   * opened or closed: such a look is no look.
   */
  private static List<String> beans() {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(InstanceNotFoundException.class)
        .until(ToldWays::beansNow, all -> all.stream().anyMatch(s -> s.startsWith("Spyhop")));
  }

  private static List<String> beansNow() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    List<String> all = new ArrayList<>();
    for (ObjectName bean : server.queryNames(null, null)) {
      if (bean.toString().contains("io.spyhop.")) {
        for (MBeanAttributeInfo a : server.getMBeanInfo(bean).getAttributes()) {
          all.add(
              a.getName()
                  + " of "
                  + bean
                  + ": "
                  + a
                  + " = "
                  + server.getAttribute(bean, a.getName()));
        }
      }
    }
    return all;
  }

  /** A request for something that is wrong. */
  @FunctionalInterface
  private interface Bad {
    void ask(Table table, Table index) throws Exception;
  }

  /** What is wrong in one way or another; the messages hold nothing that the caller may not see. */
  static Observation errors(Caller c) throws Exception {
    List<String> messages = new ArrayList<>();
    try (Table table = c.impatient().getTable(c.data().name());
        Table index = c.impatient().getTable(c.data().indexName())) {
      for (Bad bad : wrong(c)) {
        messages.add(message(c, table, index, bad));
      }
    }
    assertThat(messages).filteredOn(m -> !m.isEmpty()).hasSizeGreaterThan(messages.size() / 2);
    return Observation.of(Outcome.REFUSED, messages);
  }

  private static String message(Caller c, Table table, Table index, Bad bad) throws Exception {
    try {
      bad.ask(table, index);
      return "";
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      c.checked(Throwables.getStackTraceAsString(e));
      return name(Throwables.getRootCause(e));
    }
  }

  private static String name(Throwable failure) {
    return failure instanceof RemoteException r ? r.getClassName() : failure.getClass().getName();
  }

  private static List<Bad> wrong(Caller c) throws IOException {
    PredicateFilter filter;
    try (Spyhop spyhop = Spyhop.connect(c.cluster().connection())) {
      filter = spyhop.table(c.data().name()).filter(Query.where(QueryWays.BY_LOC));
    }
    List<Bad> all = new ArrayList<>();
    for (String where :
        List.of("nowhere = 1", "loc = 5", "CAST(loc AS LONG) > 5", "f:more = 'x'")) {
      all.add((table, index) -> c.cells(Query.where(where)));
    }
    all.add((table, index) -> c.cells(Query.where(QueryWays.BY_LOC).hint("nowhere")));
    all.add(
        (table, index) ->
            read(table, new Scan().addColumn(SecretTable.F, SecretTable.MORE).setFilter(filter)));
    all.add((table, index) -> get(table, NONSENSE));
    for (RegionRequest.Kind kind : RegionRequest.Kind.values()) {
      all.add((table, index) -> get(table, new RegionRequest(kind, NONSENSE).encode()));
    }
    for (Question question : questions()) {
      all.add((table, index) -> ask(table, question));
      all.add((table, index) -> ask(index, question));
    }
    all.add(
        (table, index) ->
            c.spyhop()
                .deferred(c.data().name(), "glob")
                .readRange("a", "z", Long.MAX_VALUE, 1, Paging.from(9, NONSENSE)));
    all.add((table, index) -> c.spyhop().admin().verify(TableName.valueOf("none"), "glob", true));
    return all;
  }

  /** Those that are asked of regions. */
  private static List<Question> questions() {
    return Arrays.stream(Question.values())
        .filter(q -> q.place() == Place.INDEX_REGION || q.place() == Place.BASE_REGION)
        .toList();
  }

  private static void read(Table table, Scan scan) throws IOException {
    try (ResultScanner rows = table.getScanner(scan)) {
      rows.next();
    }
  }

  private static void get(Table table, byte[] request) throws IOException {
    Get get = new Get(Bytes.toBytes("arow"));
    get.setAttribute(Attributes.REQUEST, request);
    table.get(get);
  }

  private static void ask(Table table, Question question) throws IOException {
    ServerCalls.ask(table.coprocessorService(new byte[] {0x01}), question, NONSENSE);
  }
}
