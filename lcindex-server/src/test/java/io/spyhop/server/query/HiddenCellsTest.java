package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowPage;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 37: what a user is told, on which way, what is counted meanwhile and how the
 * user is refused are the same with and without a cell whose label hides it from that user.
 */
class HiddenCellsTest {
  private static final String SECRET = "secret";
  private static final byte[] FIRST = {0x01};

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = Secured.start("", VisibilityController.class.getName());
    cluster.util().waitTableAvailable(TableName.valueOf("hbase:labels"));
    Secured.eventually(
        "a label", () -> VisibilityClient.addLabels(cluster.connection(), new String[] {SECRET}));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** May read the whole table, and has no labels. */
  private static User reader(TableName table) {
    User user = Secured.user(cluster, "reader" + table);
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                table,
                user.getShortName(),
                null,
                null,
                Permission.Action.READ));
    await("the grant to be known")
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                !Secured.agreed(cluster, user, table, new Scan())
                    .contains("AccessDeniedException"));
    return user;
  }

  /** All counters that an index or statistics move. */
  private static List<Long> counters() {
    List<Long> counters =
        new ArrayList<>(
            List.of(
                cluster.indexedQueries(),
                cluster.sum(m -> m.records),
                cluster.sum(m -> m.candidates),
                cluster.sum(m -> m.rereads),
                cluster.sum(m -> m.segmentedScans),
                cluster.sum(m -> m.fallbacks)));
    Arrays.stream(Fallback.values()).forEach(f -> counters.add(cluster.sum(m -> m.fallbacks(f))));
    return counters;
  }

  /** The rows seen, and by how much each counter grew meanwhile. */
  private record Seen(List<String> said, List<Long> counted) {}

  /** Asks something. */
  private interface Asking {
    List<String> run() throws Exception;
  }

  private static Seen seen(Asking asking) throws Exception {
    List<Long> before = counters();
    List<String> said = asking.run();
    List<Long> after = counters();
    List<Long> counted = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      counted.add(after.get(i) - before.get(i));
    }
    return new Seen(said, counted);
  }

  private static Scan priced(IndexedTableFixture t, double from, double to) {
    return new Scan().setFilter(new PredicateFilter(t.bind(column("price").between(from, to))));
  }

  private static Scan existing(double price) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, q("price"), CompareOperator.EQUAL, Bytes.toBytes(price));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  private static void hide(IndexedTableFixture t, String row, double price) throws IOException {
    t.table()
        .put(
            new Put(Bytes.toBytes(row))
                .addColumn(F, q("price"), Bytes.toBytes(price))
                .setCellVisibility(new CellVisibility(SECRET)));
  }

  @Test
  void localIndexTellsNothing() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      for (int i = 0; i < 5; i++) {
        t.price("r" + i, i);
      }
      t.flushAndIndex();
      User user = reader(t.name());
      List<Seen> without = local(t, user);
      hide(t, "x", 50);
      t.flushAndIndex();
      hide(t, "y", 51);
      assertThat(local(t, user)).isEqualTo(without);
      assertThat(without.get(0).said()).isEmpty();

      long indexed = cluster.indexedQueries();
      assertThat(Secured.agreed(cluster, User.getCurrent(), t.name(), priced(t, 40, 60)))
          .as("what a superuser gets")
          .hasSize(2);
      assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
    }
  }

  /** In a range that only hidden cells are in, one that has others, and by HBase's own filter. */
  private static List<Seen> local(IndexedTableFixture t, User user) throws Exception {
    List<Seen> all = new ArrayList<>();
    for (Scan scan : List.of(priced(t, 40, 60), priced(t, 3, 60), existing(50))) {
      all.add(seen(() -> Secured.agreed(cluster, user, t.name(), scan)));
    }
    return all;
  }

  /** A row that shows no value of the column has no place among those that do. */
  @Test
  void pagesInTheOrderOfValuesTellNothing() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      t.price("a", 5);
      t.table().put(new Put(Bytes.toBytes("b")).addColumn(F, q("name"), Bytes.toBytes("n")));
      hide(t, "b", 5);
      t.price("c", 7);
      User user = reader(t.name());
      Query query = Query.where(column("price").ge(0.0)).orderBy("price");
      List<String> read =
          Secured.as(
              cluster,
              user,
              t.name(),
              (c, table) -> {
                List<String> rows = new ArrayList<>();
                try (Spyhop spyhop = Spyhop.connect(c)) {
                  Optional<String> token = Optional.empty();
                  do {
                    RowPage page = spyhop.table(t.name()).page(query, 1, token);
                    page.rows().forEach(row -> rows.add(Bytes.toString(row.getRow())));
                    token = page.next();
                  } while (token.isPresent());
                }
                return rows;
              });
      assertThat(read).containsExactly("a", "c");
    }
  }

  @Test
  void globalIndexTellsNothing() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(GlobalFixture.put("a", 1, 100), GlobalFixture.put("b", 2, 100));
      User user = reader(t.name());
      List<Seen> without = global(t, user);
      t.write(GlobalFixture.put("h", 7, 100).setCellVisibility(new CellVisibility(SECRET)));
      assertThat(t.entries()).hasSize(3);
      assertThat(global(t, user)).isEqualTo(without);
      assertThat(t.page(9).entries()).as("what a superuser gets").hasSize(3);
    }
  }

  private static List<Seen> global(GlobalFixture t, User user) throws Exception {
    List<Seen> all = new ArrayList<>();
    for (String where : List.of("v = 7", "v >= 2")) {
      for (String hint : List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX, "v")) {
        all.add(
            seen(
                () ->
                    Secured.queried(
                        cluster, user, t.name(), q -> q.hint(hint).pruning(false), where)));
      }
      all.add(seen(() -> explained(t, user, where)));
    }
    byte[] pages =
        new PageRequest(t.definition().incarnation(), FIRST, new byte[0], Long.MAX_VALUE, true, 9)
            .encode();
    byte[] incarnation =
        Long.toString(t.definition().incarnation()).getBytes(StandardCharsets.US_ASCII);
    all.add(seen(() -> refused(t, user, Question.ENTRIES, pages)));
    all.add(seen(() -> refused(t, user, Question.BUILT, incarnation)));
    return all;
  }

  /** Why the global index was not used. */
  private static List<String> explained(GlobalFixture t, User user, String where) throws Exception {
    return Secured.as(
        cluster,
        user,
        t.name(),
        (c, table) -> {
          try (Spyhop spyhop = Spyhop.connect(c)) {
            return List.of(
                Objects.toString(
                    spyhop.table(t.name()).explainAnalyze(Query.where(where)).global()));
          }
        });
  }

  private static List<String> refused(
      GlobalFixture t, User user, Question question, byte[] payload) {
    Throwable refusal =
        catchThrowable(
            () ->
                Secured.as(
                    cluster,
                    user,
                    t.indexName(),
                    (c, index) ->
                        ServerCalls.ask(index.coprocessorService(FIRST), question, payload)));
    assertThat(refusal).hasMessageContaining("spyhop: cannot serve");
    return List.of(refusal.getMessage().lines().findFirst().orElseThrow());
  }
}
