package io.spyhop.server.hook;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.StandInAuthoriser;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coprocessor of another project decides who may what, with {@code hbase.security.authorization}
 * off: what it lets a user do is done, and where it cannot be asked the way is closed.
 */
class OtherAuthoriserTest {
  private static final String ALLOWED = "allowed";
  private static final byte[] NOTES = {0x00};
  private static final byte[] FIRST = {0x01};
  private static final byte[] A = Bytes.toBytes("a");

  private static TestCluster cluster;
  private static GlobalFixture table;

  @BeforeAll
  static void start() throws Exception {
    String standIn = StandInAuthoriser.class.getName();
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.set("hbase.coprocessor.region.classes", standIn);
              conf.set(
                  "hbase.coprocessor.master.classes", SpyhopMaster.class.getName() + "," + standIn);
            });
    table = new GlobalFixture(cluster, f -> f, d -> d);
    table.awaitBuilt();
    table.write(put("a", 1, 100), put("b", 2, 100), put("c", 2, 100));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static User user(String name) {
    return Secured.user(cluster, name);
  }

  private static byte[] ask(
      String name, TableName asked, byte[] row, Question question, byte[] payload)
      throws Exception {
    return Secured.as(
        cluster,
        user(name),
        asked,
        (c, t) -> ServerCalls.ask(t.coprocessorService(row), question, payload));
  }

  private static byte[] incarnation() {
    return Long.toString(table.definition().incarnation()).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] page() {
    return new PageRequest(
            table.definition().incarnation(), FIRST, new byte[0], Long.MAX_VALUE, true, 9)
        .encode();
  }

  private static byte[] verify(boolean repair) {
    return new VerifyRequest("v", table.definition().incarnation(), repair, A, 9, List.of())
        .encode();
  }

  private static Entry entry(String row, long value) {
    byte[] key = table.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), 100);
  }

  private static byte[] hint() {
    return new EntryList("v", table.definition().incarnation(), List.of(entry("a", 1))).encode();
  }

  /** The base table's observers cannot be asked from there. */
  @ParameterizedTest
  @ValueSource(strings = {StandInAuthoriser.REFUSED, StandInAuthoriser.FILTERED, ALLOWED})
  void entriesAreForSuperusers(String name) {
    assertThatThrownBy(() -> ask(name, table.indexName(), FIRST, Question.ENTRIES, page()))
        .hasMessageContaining("spyhop: cannot serve");
    assertThatThrownBy(() -> ask(name, table.indexName(), NOTES, Question.BUILT, incarnation()))
        .hasMessageContaining("spyhop: cannot serve");
  }

  @Test
  void superusersUseTheGlobalIndex() throws Exception {
    assertThat(table.page(9).entries()).hasSize(3);
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      QueryPlan plan = spyhop.table(table.name()).explainAnalyze(Query.where("v = 2"));
      assertThat(plan.driving()).as(plan.toText()).isEqualTo("v");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        StandInAuthoriser.REFUSED,
        StandInAuthoriser.FILTERED,
        StandInAuthoriser.CUT,
        StandInAuthoriser.GETTING,
        StandInAuthoriser.BLIND
      })
  void whoMayNotReadTheWholeColumnNeitherReportsNorVerifies(String name) throws Exception {
    SortedSet<String> before = table.entries();
    for (Question question : List.of(Question.MISSING, Question.DANGLING)) {
      assertThatThrownBy(() -> ask(name, table.name(), A, question, verify(false)))
          .isInstanceOf(AccessDeniedException.class);
    }
    assertThatThrownBy(() -> ask(name, table.name(), A, Question.REPAIR, hint()))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(table.entries()).isEqualTo(before);
  }

  @Test
  void whoMayReadTheWholeColumnReportsAndVerifies() {
    for (Question question : List.of(Question.MISSING, Question.DANGLING)) {
      assertThatCode(() -> ask(ALLOWED, table.name(), A, question, verify(false)))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> ask(ALLOWED, table.name(), A, question, verify(true)))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("superusers");
    }
    assertThatCode(() -> ask(ALLOWED, table.name(), A, Question.REPAIR, hint()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {StandInAuthoriser.REFUSED, ALLOWED})
  void entriesAreWrittenByServersAlone(String name) throws Exception {
    SortedSet<String> before = table.entries();
    byte[] batch = EntryBatch.encode(List.of(entry("z", 9).put(false)));
    assertThatThrownBy(() -> ask(name, table.name(), A, Question.TICKET, incarnation()))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> ask(name, table.indexName(), FIRST, Question.ENTER, batch))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(table.entries()).isEqualTo(before);
  }

  /** Not even one that the region might have given. */
  @Test
  void noTicketIsBelieved() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      EntryTicket ticket =
          cluster
              .regions(t.name())
              .get(0)
              .getCoprocessorHost()
              .findCoprocessor(SpyhopRegion.class)
              .repair()
              .removals()
              .ticket(t.definition().incarnation());
      t.write(put("k", 1, 100).setAttribute(Attributes.ENTERED, ticket.encode()));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      Secured.as(
          cluster,
          user(ALLOWED),
          t.name(),
          (c, own) -> {
            try (Spyhop spyhop = Spyhop.connect(c)) {
              DeferredIndexTable cells = spyhop.deferred(t.name(), "v").enteringFromClient();
              cells.write(Bytes.toBytes("m"), 5L, 100);
            }
            return null;
          });
      assertThat(t.entries()).as("the region writes it").isEqualTo(t.expected()).hasSize(2);
    }
  }

  @Test
  void answersAreThoseOfTheScan() throws Exception {
    assertThat(queried(ALLOWED, "v >= 1")).containsExactly("a/v@100", "b/v@100", "c/v@100");
    assertThat(queried(ALLOWED, "v = 2")).containsExactly("b/v@100", "c/v@100");
    assertThat(queried(StandInAuthoriser.FILTERED, "v >= 1")).containsExactly("a/v@100");
    assertThat(queried(StandInAuthoriser.FILTERED, "v = 2")).isEmpty();
    assertThat(queried(StandInAuthoriser.REFUSED, "v = 2"))
        .containsExactly("AccessDeniedException");
  }

  private static List<String> queried(String name, String where) throws Exception {
    List<String> plain =
        Secured.queried(
            cluster,
            user(name),
            table.name(),
            q -> q.hint(Attributes.PATH_SCAN).pruning(false),
            where);
    for (String hint : List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX, "v")) {
      assertThat(Secured.queried(cluster, user(name), table.name(), q -> q.hint(hint), where))
          .as(hint)
          .isEqualTo(plain);
    }
    return plain;
  }

  /** The coprocessor that decides saw the region's scanner, not the one that is given out. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scannersStayTheirOwners(boolean close) throws Exception {
    HRegion region = cluster.regions(table.name()).get(0);
    SchemaResolver resolver =
        new SchemaResolver(
            table.name().getNameAsString(),
            IndexSchema.of(region.getTableDescriptor()),
            List.of("f"));
    BoundPredicate every = Binder.bind(Predicates.column("v").ge(1L), resolver);
    Scan all = new Scan().setFilter(new PredicateFilter(every));
    ScanRequest open =
        RequestConverter.buildScanRequest(region.getRegionInfo().getRegionName(), all, 0, false);
    long scanner = Secured.scan(cluster, user(ALLOWED), region, open).getScannerId();
    ScanRequest next = RequestConverter.buildScanRequest(scanner, close ? 0 : 2, close, false);
    assertThatThrownBy(() -> Secured.scan(cluster, user("other"), region, next))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("not the scanner owner");
    long again = Secured.scan(cluster, user(ALLOWED), region, open).getScannerId();
    ScanRequest own = RequestConverter.buildScanRequest(again, 2, false, false);
    assertThat(Secured.scan(cluster, user(ALLOWED), region, own).getMoreResults()).isTrue();
  }

  @Test
  void columnsThatSomebodyMayNotScanAreNotDeclaredToHim() throws Exception {
    assertThat(
            Secured.queried(cluster, user(StandInAuthoriser.BLIND), table.name(), q -> q, "v = 2"))
        .containsExactly("UnknownColumnException");
  }

  /** A row that may be got says nothing of the others. */
  @Test
  void countsAreForWhoMayScanEveryRow() throws Exception {
    assertThat(status(User.getCurrent()).isEmpty()).isFalse();
    assertThat(status(user(ALLOWED)).isEmpty()).isFalse();
    assertThat(status(user(StandInAuthoriser.FILTERED)).isEmpty()).isTrue();
    assertThat(status(user(StandInAuthoriser.CUT)).isEmpty()).isTrue();
    for (String name : List.of(StandInAuthoriser.REFUSED, StandInAuthoriser.GETTING)) {
      assertThatThrownBy(() -> status(user(name))).isInstanceOf(AccessDeniedException.class);
    }
  }

  private static Result status(User user) throws Exception {
    Get get = new Get(A);
    get.setAttribute(Attributes.REQUEST, RegionRequest.of(RegionRequest.Kind.STATUS).encode());
    return Secured.as(cluster, user, table.name(), (c, t) -> t.get(get));
  }

  /** The master's observers are asked in any order: nothing may happen before they were. */
  @Test
  void whoMayNotChangeTheTableUnbuildsNothing() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      String snapshot = "s_" + t.name().getNameAsString();
      cluster.admin().snapshot(snapshot, t.name());
      cluster.admin().disableTable(t.name());
      List<String> before = notes(t);
      assertThatThrownBy(() -> restore(StandInAuthoriser.REFUSED, t, snapshot))
          .hasStackTraceContaining("ADMIN or CREATE")
          .hasStackTraceContaining("AccessDeniedException");
      assertThat(notes(t)).isEqualTo(before).isNotEmpty();
      restore(ALLOWED, t, snapshot);
      cluster.admin().enableTable(t.name());
      t.awaitBuilt();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      cluster.admin().deleteSnapshot(snapshot);
    }
  }

  /** What the index table notes about itself. */
  private static List<String> notes(GlobalFixture t) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table index = cluster.connection().getTable(t.indexName());
        ResultScanner rows = index.getScanner(new Scan().addFamily(IndexTable.CONTROL))) {
      for (Result row : rows) {
        for (Cell c : row.rawCells()) {
          cells.add(c + " = " + Bytes.toStringBinary(CellUtil.cloneValue(c)));
        }
      }
    }
    return cells;
  }

  private static void restore(String name, GlobalFixture t, String snapshot) throws Exception {
    Secured.as(
        cluster,
        user(name),
        t.name(),
        (c, own) -> {
          c.getAdmin().restoreSnapshot(snapshot, false);
          return null;
        });
  }

  @Test
  void orphansAreForSuperusers() throws Exception {
    for (String name : List.of(StandInAuthoriser.REFUSED, ALLOWED)) {
      assertThatThrownBy(
              () ->
                  Secured.as(
                      cluster,
                      user(name),
                      table.name(),
                      (c, t) ->
                          ServerCalls.ask(
                              c.getAdmin().coprocessorService(), Question.ORPHANS, new byte[0])))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("superuser");
    }
  }
}
