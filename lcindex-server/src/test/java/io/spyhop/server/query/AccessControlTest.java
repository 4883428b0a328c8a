package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Access control as the second coprocessor of the regions and without visibility labels: questions
 * come after it, and a scanner stays its owner's.
 */
class AccessControlTest {
  private static final Predicate CHEAP = column("price").between(1.0, 10.0);

  /** Something that a site loads before access control; it observes nothing. */
  public static final class Bystander implements RegionCoprocessor {}

  private static TestCluster cluster;
  private static IndexedTableFixture table;
  private static User reader;
  private static User narrow;

  @BeforeAll
  static void start() throws Exception {
    cluster = Secured.start(Bystander.class.getName(), "");
    table = new IndexedTableFixture(cluster, f -> f);
    for (int i = 0; i < 9; i++) {
      table.price("r" + i, i);
      table.put("r" + i, "name", Bytes.toBytes("n"));
    }
    table.flushAndIndex();
    reader = Secured.user(cluster, "reader");
    narrow = Secured.user(cluster, "narrow");
    grant(reader, null, null);
    grant(narrow, F, q("price"));
    Secured.eventually("the grants to be known", () -> read(reader, new Scan()));
    Scan price = new Scan().addColumn(F, q("price"));
    Secured.eventually("the grants to be known", () -> read(narrow, price));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void grant(User user, byte[] family, byte[] qualifier) {
    grant(table.name(), user, family, qualifier);
  }

  private static void grant(TableName name, User user, byte[] family, byte[] qualifier) {
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                name,
                user.getShortName(),
                family,
                qualifier,
                Permission.Action.READ));
  }

  private static void read(User user, Scan scan) throws Exception {
    assertThat(Secured.agreed(cluster, user, table.name(), scan))
        .isNotEmpty()
        .doesNotContain("AccessDeniedException");
  }

  @Test
  void whoMayReadAllIsAnsweredFromRecords() throws Exception {
    long rereads = cluster.sum(m -> m.rereads);
    Scan scan = new Scan().setFilter(new PredicateFilter(table.bind(CHEAP)));
    long indexed = cluster.indexedQueries();
    assertThat(Secured.agreed(cluster, reader, table.name(), scan)).hasSize(16);
    assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
    assertThat(cluster.sum(m -> m.rereads)).isEqualTo(rereads);
  }

  /** What the columns hold that the user selects besides is hidden by the filter, row by row. */
  @Test
  void whoMayReadThePredicatesColumnsIsAnsweredFromCandidates() throws Exception {
    Scan scan = new Scan().addFamily(F).setFilter(new PredicateFilter(table.bind(CHEAP)));
    long indexed = cluster.indexedQueries();
    long rereads = cluster.sum(m -> m.rereads);
    assertThat(Secured.agreed(cluster, narrow, table.name(), scan))
        .hasSize(8)
        .allMatch(c -> c.contains("/price@"));
    assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
    assertThat(cluster.sum(m -> m.rereads)).isGreaterThan(rereads);
  }

  /** How many rows match of what is hidden must not be found in any counter, nor by time. */
  @Test
  void predicateOnAHiddenColumnLooksNothingUp() throws Exception {
    for (Predicate p : List.of(column("name").eq("n"), CHEAP.and(column("name").eq("n")))) {
      Scan scan = new Scan().addFamily(F).setFilter(new PredicateFilter(table.bind(p)));
      assertThat(unindexed(table, narrow, scan)).isEmpty();
    }
    Predicate nameless = CHEAP.and(column("name").isNull());
    Scan scan = new Scan().addFamily(F).setFilter(new PredicateFilter(table.bind(nameless)));
    assertThat(unindexed(table, narrow, scan)).hasSize(8);
  }

  /** A record would drop the row that the hidden cell makes undecidable. */
  @Test
  void hiddenCellsOfARowMoveNoCounter() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      for (int i = 0; i < 9; i++) {
        t.price("r" + i, i);
        t.put("r" + i, "name", Bytes.toBytes("n"));
      }
      t.flushAndIndex();
      User user = Secured.user(cluster, "two");
      grant(t.name(), user, F, q("price"));
      grant(t.name(), user, F, q("name"));
      Predicate none = CHEAP.and(column("name").eq("other"));
      Scan scan = new Scan().addFamily(F).setFilter(new PredicateFilter(t.bind(none)));
      scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("price"));
      await("the grants to be known")
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> candidates(t, user, scan) > 0);
      assertThat(candidates(t, user, scan)).isEqualTo(8);
      t.put("r3", "hidden", q("x"));
      t.flushAndIndex();
      assertThat(candidates(t, user, scan)).isEqualTo(8);
      t.put("r4", "hidden", q("x"));
      assertThat(candidates(t, user, scan)).isEqualTo(8);
    }
  }

  /** How many rows are read again for a scan whose answer is empty. */
  private static long candidates(IndexedTableFixture t, User user, Scan scan) throws Exception {
    long before = cluster.sum(m -> m.rereads);
    Secured.as(
        cluster,
        user,
        t.name(),
        (c, table) -> {
          try (ResultScanner rows = table.getScanner(scan)) {
            assertThat(rows.next()).isNull();
          }
          return null;
        });
    return cluster.sum(m -> m.rereads) - before;
  }

  /** A user without any grant is let in, where single cells may be visible. */
  @Test
  void whoMayReadSingleCellsLooksNothingUp() throws Exception {
    try (IndexedTableFixture t =
        new IndexedTableFixture(
            cluster, f -> f, d -> d.setValue("hbase.security.access.early_out", "false"))) {
      t.price("theirs", 5);
      t.table()
          .put(
              new Put(Bytes.toBytes("own"))
                  .addColumn(F, q("price"), Bytes.toBytes(5.0))
                  .setACL("nobody", new Permission(Permission.Action.READ)));
      t.flushAndIndex();
      Scan scan = new Scan().setFilter(new PredicateFilter(t.bind(CHEAP)));
      User nobody = Secured.user(cluster, "nobody");
      assertThat(unindexed(t, nobody, scan)).hasSize(1).allMatch(c -> c.startsWith("own/price@"));
    }
  }

  /** What a user gets along every path, none of which is an index's. */
  private static List<String> unindexed(IndexedTableFixture t, User user, Scan scan)
      throws Exception {
    long indexed = cluster.indexedQueries();
    long candidates = cluster.sum(m -> m.candidates);
    long segmented = cluster.sum(m -> m.segmentedScans);
    long hidden = cluster.sum(m -> m.fallbacks(Fallback.HIDDEN_CELLS));
    List<String> answer = Secured.agreed(cluster, user, t.name(), scan);
    assertThat(cluster.indexedQueries()).isEqualTo(indexed);
    assertThat(cluster.sum(m -> m.candidates)).isEqualTo(candidates);
    assertThat(cluster.sum(m -> m.segmentedScans)).isEqualTo(segmented);
    assertThat(cluster.sum(m -> m.fallbacks(Fallback.HIDDEN_CELLS))).isGreaterThan(hidden);
    return answer;
  }

  @Test
  void questionsAreAnsweredToWhoMayReadAll() throws Exception {
    assertThat(ask(reader, new Get(Bytes.toBytes("r"))).isEmpty()).isFalse();
    User nobody = Secured.user(cluster, "nobody");
    assertThatThrownBy(() -> ask(nobody, new Get(Bytes.toBytes("r"))))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void whoMayReadAPartIsToldNothing() throws Exception {
    Get allowed = new Get(Bytes.toBytes("r")).addColumn(F, q("price"));
    assertThat(ask(narrow, allowed).isEmpty()).isTrue();
    assertThat(ask(narrow, new Get(Bytes.toBytes("r"))).isEmpty()).isTrue();
    Get filtered = new Get(Bytes.toBytes("r")).addColumn(F, q("price")).addColumn(F, q("name"));
    assertThat(ask(narrow, filtered).isEmpty()).isTrue();
  }

  /** Each reading is calls to the name node: beyond a few a caller's calls wait, and none fails. */
  @Test
  void whoMayOnlyReadHasDefinitionsReadAFewTimesASecond() throws Exception {
    Get get = RegionRequest.of(RegionRequest.Kind.REFRESH).toGet(table.region().getRegionInfo());
    for (User user : List.of(reader, User.getCurrent())) {
      int answered =
          withoutRetries(
              user,
              c -> {
                try (Table its = c.getTable(table.name())) {
                  int some = 0;
                  for (int i = 0; i < 25; i++) {
                    some += its.get(get).isEmpty() ? 0 : 1;
                  }
                  return some;
                }
              });
      assertThat(answered).isEqualTo(25);
    }
  }

  /** Whose first query names a column without its family, with nothing known yet. */
  @Test
  void shortProgramsThatStartTogetherAreAnswered() throws Exception {
    for (User user : List.of(reader, narrow)) {
      int found =
          withoutRetries(
              user,
              c -> {
                int rows = 0;
                for (int i = 0; i < 60; i++) {
                  try (Spyhop program = Spyhop.connect(c);
                      RowCursor cursor =
                          program.table(table.name()).query(Query.where("price < 4"))) {
                    for (Result row : cursor) {
                      rows += row.isEmpty() ? 0 : 1;
                    }
                  }
                }
                return rows;
              });
      assertThat(found).isEqualTo(60 * 4);
    }
  }

  /** A question to a connection. */
  @FunctionalInterface
  private interface Asking {
    int of(Connection connection) throws IOException;
  }

  private static int withoutRetries(User user, Asking asking) throws Exception {
    return Secured.as(
        cluster,
        user,
        table.name(),
        (c, t) -> {
          Configuration once = new Configuration(c.getConfiguration());
          once.setInt("hbase.client.retries.number", 0);
          try (Connection own = ConnectionFactory.createConnection(once)) {
            return asking.of(own);
          }
        });
  }

  private static Result ask(User user, Get get) throws Exception {
    PlanRequest plan = new PlanRequest(table.bind(CHEAP), List.of(), Attributes.PATH_AUTO);
    RegionRequest request = new RegionRequest(RegionRequest.Kind.EXPLAIN, plan.encode());
    get.setAttribute(Attributes.REQUEST, request.encode());
    return Secured.as(cluster, user, table.name(), (c, t) -> t.get(get));
  }

  private static List<String> queried(User user, TableName name, String where) throws Exception {
    List<String> answer = Secured.queried(cluster, user, name, q -> q, where);
    UnaryOperator<Query> plainly = q -> q.hint(Attributes.PATH_SCAN).pruning(false);
    assertThat(Secured.queried(cluster, user, name, plainly, where)).isEqualTo(answer);
    return answer;
  }

  @Test
  void whoMayReadMayQuery() throws Exception {
    long indexed = cluster.indexedQueries();
    UnaryOperator<Query> byIndex = q -> q.hint(Attributes.PATH_INDEX);
    assertThat(Secured.queried(cluster, reader, table.name(), byIndex, "price < 4")).hasSize(8);
    assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
    assertThat(queried(reader, table.name(), "price < 4 AND name = 'n'")).hasSize(8);
    long pruned =
        Secured.as(
            cluster,
            reader,
            table.name(),
            (c, t) -> {
              try (Spyhop spyhop = Spyhop.connect(c)) {
                IndexedTable asked = spyhop.table(table.name());
                try (RowCursor rows = asked.query(Query.where("price = 1000"))) {
                  assertThat(rows).isEmpty();
                }
                return asked.statistics().regionsPruned();
              }
            });
    assertThat(pruned).as("regions left out by statistics").isEqualTo(1);
  }

  @Test
  void whoMayReadNothingIsRefused() throws Exception {
    User nobody = Secured.user(cluster, "nobody");
    assertThat(queried(nobody, table.name(), "price < 4")).containsExactly("AccessDeniedException");
  }

  @Test
  void whoMayReadOneColumnQueriesThatColumn() throws Exception {
    assertThat(queried(narrow, table.name(), "price < 4"))
        .hasSize(4)
        .allMatch(c -> c.contains("/price@"));
    assertThat(queried(narrow, table.name(), "price < 4 AND name = 'n'"))
        .as("what other columns there are is not told")
        .containsExactly("UnknownColumnException");
    assertThat(queried(narrow, table.name(), "price < 4 AND CAST(name AS STRING) IS NULL"))
        .as("what is hidden is null, as in a scan")
        .hasSize(4);
  }

  @Test
  void whoMayReadOneFamilyQueriesThatFamily() throws Exception {
    byte[] g = Bytes.toBytes("g");
    try (IndexedTableFixture t =
        new IndexedTableFixture(
            cluster, f -> f, d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(g)))) {
      t.price("a", 5);
      t.table().put(new Put(Bytes.toBytes("a")).addColumn(g, q("x"), q("y")));
      t.flushAndIndex();
      User first = Secured.user(cluster, "first");
      User second = Secured.user(cluster, "second");
      grant(t.name(), first, F, null);
      grant(t.name(), second, g, null);
      await("the grants to be known")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(queried(first, t.name(), "price = 5")).hasSize(1);
                assertThat(queried(second, t.name(), "price = 5"))
                    .containsExactly("UnknownColumnException");
              });
      assertThat(queried(second, t.name(), "CAST(f:price AS DOUBLE) = 5")).isEmpty();
      assertThat(queried(second, t.name(), "CAST(f:price AS DOUBLE) IS NULL")).hasSize(1);
    }
  }

  @Test
  void whoMayReadTheColumnUsesItsGlobalIndex() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(GlobalFixture.put("a", 1, 100), GlobalFixture.put("b", 2, 100));
      grant(t.name(), reader, F, GlobalFixture.V);
      await("the grant to be known")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(queried(reader, t.name(), "v = 2")).hasSize(1));
      Secured.as(
          cluster,
          reader,
          t.name(),
          (c, table) -> {
            try (Spyhop spyhop = Spyhop.connect(c)) {
              QueryPlan plan = spyhop.table(t.name()).explainAnalyze(Query.where("v = 2"));
              assertThat(plan.driving()).as(plan.toText()).isEqualTo("v");
              DeferredIndexTable cells = spyhop.deferred(t.name(), "v");
              assertThat(cells.readValue(1L, Long.MAX_VALUE, 1, Paging.first(9)).cells())
                  .hasSize(1);
            }
            return null;
          });
    }
  }

  /** Who may read may look for defects; what deletes or writes entries is for others. */
  @Test
  void repairNeedsMoreThanRead() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(GlobalFixture.put("a", 1, 100));
      User owner = Secured.user(cluster, "owner");
      for (User user : List.of(reader, owner)) {
        grant(t.name(), user, F, GlobalFixture.V);
      }
      Secured.eventually(
          "a grant",
          () ->
              AccessControlClient.grant(
                  cluster.connection(),
                  t.name(),
                  owner.getShortName(),
                  null,
                  null,
                  Permission.Action.CREATE,
                  Permission.Action.READ));
      for (Question question : List.of(Question.DANGLING, Question.MISSING)) {
        Secured.eventually("the grant to be known", () -> verify(reader, t, question, false));
        assertThatThrownBy(() -> verify(reader, t, question, true))
            .isInstanceOf(AccessDeniedException.class)
            .hasMessageContaining("ADMIN or CREATE");
        Secured.eventually("the grant to be known", () -> verify(owner, t, question, true));
        verify(User.getCurrent(), t, question, true);
      }
    }
  }

  private static void verify(User user, GlobalFixture t, Question question, boolean repair)
      throws Exception {
    byte[] request =
        new VerifyRequest(
                "v", t.definition().incarnation(), repair, Bytes.toBytes("a"), 9, List.of())
            .encode();
    Secured.as(
        cluster,
        user,
        t.name(),
        (c, table) ->
            ServerCalls.ask(table.coprocessorService(Bytes.toBytes("a")), question, request));
  }

  @Test
  void scannerStaysItsOwners() throws Exception {
    for (String path : List.of(Attributes.PATH_INDEX, Attributes.PATH_SCAN)) {
      for (boolean close : new boolean[] {false, true}) {
        long scanner = call(reader, opening(path)).getScannerId();
        ScanRequest next = RequestConverter.buildScanRequest(scanner, close ? 0 : 2, close, false);
        assertThatThrownBy(() -> call(User.getCurrent(), next))
            .as("path %s, close %s", path, close)
            .isInstanceOf(AccessDeniedException.class)
            .hasMessageContaining("not the scanner owner");
      }
      long scanner = call(reader, opening(path)).getScannerId();
      ScanRequest next = RequestConverter.buildScanRequest(scanner, 2, false, false);
      assertThat(call(reader, next).getMoreResults()).isTrue();
    }
  }

  private static ScanRequest opening(String path) throws IOException {
    Scan scan = new Scan().setFilter(new PredicateFilter(table.bind(CHEAP)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    HRegion region = table.region();
    return RequestConverter.buildScanRequest(
        region.getRegionInfo().getRegionName(), scan, 0, false);
  }

  private static ScanResponse call(User user, ScanRequest request) throws Exception {
    return Secured.scan(cluster, user, table.region(), request);
  }
}
