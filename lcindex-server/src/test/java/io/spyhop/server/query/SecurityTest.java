package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SecureBulkLoadClient;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 17: whatever access control and visibility labels hide, the answer is that of
 * the plain scan of the same user. Where cells may have labels, superusers alone are answered
 * through an index (docs/decisions/0028).
 */
class SecurityTest {
  private static final byte[] G = Bytes.toBytes("g");
  private static final Predicate CHEAP = column("price").between(1.0, 10.0);
  private static final int CHEAP_ROWS = 12;
  private static final String SECRET = "secret";

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

  private static IndexedTableFixture table(boolean cellGrants) throws IOException {
    UnaryOperator<ColumnFamilyDescriptorBuilder> family = f -> f.setMaxVersions(3);
    return new IndexedTableFixture(
        cluster,
        family,
        t ->
            t.setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
                .setValue("hbase.security.access.early_out", Boolean.toString(!cellGrants)));
  }

  /** Rows in a file, in another one, in both and in the memstore; every third has another price. */
  private static void fill(IndexedTableFixture t) throws IOException {
    for (int i = 0; i < 12; i++) {
      t.table().put(row(i, i % 3 == 0 ? 50 : 5));
    }
    t.flushAndIndex();
    for (int i = 10; i < 16; i++) {
      t.table().put(row(i, i % 3 == 1 ? 50 : 5));
    }
    t.flushAndIndex();
    for (int i = 15; i < 18; i++) {
      t.table().put(row(i, 5));
    }
  }

  private static Put row(int i, double price) {
    return new Put(Bytes.toBytes(String.format("r%02d", i)))
        .addColumn(F, q("price"), Bytes.toBytes(price))
        .addColumn(F, q("name"), Bytes.toBytes("n" + i % 2))
        .addColumn(G, q("other"), Bytes.toBytes("o"));
  }

  private static Put price(String row, long timestamp, double price) {
    return new Put(Bytes.toBytes(row)).addColumn(F, q("price"), timestamp, Bytes.toBytes(price));
  }

  private static Put name(String row, String name) {
    return new Put(Bytes.toBytes(row)).addColumn(F, q("name"), 100, Bytes.toBytes(name));
  }

  private static User granted(IndexedTableFixture t, String name, byte[] family, String column)
      throws Exception {
    User user = Secured.user(cluster, name + t.name());
    byte[] qualifier = column == null ? null : q(column);
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                t.name(),
                user.getShortName(),
                family,
                qualifier,
                Permission.Action.READ));
    Scan scan = new Scan();
    if (family != null) {
      scan.addFamily(family);
    }
    if (column != null) {
      scan.addColumn(family, qualifier);
    }
    await("the grant to be known")
        .atMost(Duration.ofSeconds(60))
        .until(() -> !agreed(t, user, scan).contains("AccessDeniedException"));
    return user;
  }

  private static List<String> agreed(IndexedTableFixture t, User user, Scan scan)
      throws IOException, InterruptedException {
    return Secured.agreed(cluster, user, t.name(), scan);
  }

  /** Agreed, and the indexes were used. */
  private static List<String> indexed(IndexedTableFixture t, User user, Scan scan)
      throws IOException, InterruptedException {
    long before = cluster.indexedQueries();
    long defects = cluster.defects();
    List<String> answer = agreed(t, user, scan);
    assertThat(cluster.indexedQueries()).as("queries through an index").isGreaterThan(before);
    assertThat(cluster.defects()).isEqualTo(defects);
    return answer;
  }

  /** Agreed, and nothing was looked up: a cell of any column may be hidden from the user. */
  private static List<String> scanned(IndexedTableFixture t, User user, Scan scan)
      throws IOException, InterruptedException {
    long indexed = cluster.indexedQueries();
    long segmented = cluster.sum(m -> m.segmentedScans);
    List<String> answer = agreed(t, user, scan);
    assertThat(cluster.indexedQueries()).as("queries through an index").isEqualTo(indexed);
    assertThat(cluster.sum(m -> m.segmentedScans)).as("by statistics").isEqualTo(segmented);
    return answer;
  }

  private static Scan scan(IndexedTableFixture t, Predicate predicate) {
    return new Scan().setFilter(new PredicateFilter(t.bind(predicate)));
  }

  @Test
  void superuser() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User me = User.getCurrent();
      assertThat(indexed(t, me, scan(t, CHEAP))).hasSize(3 * CHEAP_ROWS);
      assertThat(indexed(t, me, scan(t, CHEAP.and(column("name").isNull())))).isEmpty();
    }
  }

  @Test
  void grantOfTheTable() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User user = granted(t, "reader", null, null);
      assertThat(scanned(t, user, scan(t, CHEAP))).hasSize(3 * CHEAP_ROWS);
      assertThat(scanned(t, user, scan(t, CHEAP).addFamily(F))).hasSize(2 * CHEAP_ROWS);
    }
  }

  @Test
  void grantOfOneFamilyHidesTheOther() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User user = granted(t, "family", F, null);
      assertThat(scanned(t, user, scan(t, CHEAP))).hasSize(2 * CHEAP_ROWS);
      assertThat(scanned(t, user, scan(t, CHEAP).addFamily(F))).hasSize(2 * CHEAP_ROWS);
      User other = granted(t, "other", G, null);
      assertThat(scanned(t, other, scan(t, CHEAP))).isEmpty();
    }
  }

  @Test
  void grantOfOneColumnHidesTheOthers() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User user = granted(t, "column", F, "price");
      Scan both = scan(t, CHEAP).addColumn(F, q("price")).addColumn(F, q("name"));
      assertThat(scanned(t, user, both)).hasSize(CHEAP_ROWS).allMatch(c -> c.contains("/price"));
      Scan hidden = scan(t, CHEAP.and(column("name").eq("n1")));
      hidden.addColumn(F, q("price")).addColumn(F, q("name"));
      assertThat(scanned(t, user, hidden)).isEmpty();
      assertThat(scanned(t, user, scan(t, CHEAP).addFamily(F))).hasSize(CHEAP_ROWS);
    }
  }

  @Test
  void hiddenCellIsNull() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User user = granted(t, "null", F, "price");
      Predicate nameless = CHEAP.and(column("name").isNull());
      Scan scan = scan(t, nameless).addColumn(F, q("price")).addColumn(F, q("name"));
      assertThat(scanned(t, user, scan)).hasSize(CHEAP_ROWS);
    }
  }

  @Test
  void nobodyIsRefusedAlongEveryPath() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User nobody = Secured.user(cluster, "nobody");
      assertThat(agreed(t, nobody, scan(t, CHEAP))).containsExactly("AccessDeniedException");
      Scan unselected = scan(t, CHEAP).addColumn(F, q("name"));
      assertThat(agreed(t, nobody, unselected)).containsExactly("AccessDeniedException");
      assertThat(agreed(t, User.getCurrent(), unselected)).containsExactly("DoNotRetryIOException");
    }
  }

  @Test
  void grantsOfCells() throws Exception {
    try (IndexedTableFixture t = table(true)) {
      User user = Secured.user(cluster, "cells");
      Permission read = new Permission(Permission.Action.READ);
      for (int file = 0; file < 3; file++) {
        t.table().put(price("mine" + file, 100, 5).setACL("cells", read));
        t.table().put(name("mine" + file, "seen").setACL("cells", read));
        t.table().put(price("half" + file, 100, 5).setACL("cells", read));
        t.table().put(name("half" + file, "hidden"));
        t.table().put(price("theirs" + file, 100, 5));
        if (file < 2) {
          t.flushAndIndex();
        }
      }
      assertThat(scanned(t, user, scan(t, CHEAP)))
          .containsExactly(
              "half0/price@100",
              "half1/price@100",
              "half2/price@100",
              "mine0/name@100",
              "mine0/price@100",
              "mine1/name@100",
              "mine1/price@100",
              "mine2/name@100",
              "mine2/price@100");
      assertThat(scanned(t, user, scan(t, CHEAP.and(column("name").isNull())))).hasSize(3);
      assertThat(scanned(t, user, scan(t, column("name").eq("hidden")))).isEmpty();
      assertThat(scanned(t, user, scan(t, column("name").eq("seen")))).hasSize(6);
    }
  }

  @Test
  void hiddenNewestVersionExposesAnOlderOne() throws Exception {
    try (IndexedTableFixture t = table(true)) {
      User user = Secured.user(cluster, "older");
      Permission read = new Permission(Permission.Action.READ);
      t.table().put(price("one file", 100, 5).setACL("older", read));
      t.table().put(price("one file", 200, 50));
      t.table().put(price("two files", 100, 5).setACL("older", read));
      t.flushAndIndex();
      t.table().put(price("two files", 200, 50));
      t.table().put(price("memstore", 100, 5).setACL("older", read));
      t.flushAndIndex();
      t.table().put(price("memstore", 200, 50));
      assertThat(scanned(t, user, scan(t, CHEAP)))
          .containsExactly("memstore/price@100", "one file/price@100", "two files/price@100");
      assertThat(scanned(t, user, scan(t, column("price").gt(10.0)))).isEmpty();
      assertThat(indexed(t, User.getCurrent(), scan(t, CHEAP))).isEmpty();
    }
  }

  @Test
  void labels() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      User cleared = granted(t, "cleared", null, null);
      User plain = granted(t, "plain", null, null);
      clear(cleared);
      CellVisibility secret = new CellVisibility(SECRET);
      for (int file = 0; file < 2; file++) {
        t.table().put(price("open" + file, 100, 5));
        t.table().put(name("open" + file, "n").setCellVisibility(secret));
        t.table().put(price("closed" + file, 100, 5).setCellVisibility(secret));
        t.table().put(name("closed" + file, "n"));
        t.table().put(price("older" + file, 100, 5));
        t.table().put(price("older" + file, 200, 50).setCellVisibility(secret));
        t.flushAndIndex();
      }
      Scan scan = scan(t, CHEAP).setAuthorizations(new Authorizations(SECRET));
      await("the labels to be known")
          .atMost(Duration.ofSeconds(60))
          .until(() -> agreed(t, cleared, scan).size() == 8);
      assertThat(scanned(t, cleared, scan)).hasSize(8);
      assertThat(scanned(t, plain, scan(t, CHEAP)))
          .contains("open0/price@100")
          .doesNotContain("open0/name@100", "closed0/price@100");
      assertThat(Secured.queried(cluster, plain, t.name(), q -> q, "price BETWEEN 1 AND 10"))
          .as("the client needs no more rights than a scan")
          .isEqualTo(agreed(t, plain, scan(t, CHEAP)));
      for (Predicate p : List.of(column("name").eq("n"), CHEAP.and(column("name").isNull()))) {
        scanned(t, plain, scan(t, p));
        scanned(t, cleared, scan(t, p).setAuthorizations(new Authorizations(SECRET)));
      }
    }
  }

  private static void clear(User user) {
    Secured.eventually(
        "an authorization",
        () ->
            VisibilityClient.setAuths(
                cluster.connection(), new String[] {SECRET}, user.getShortName()));
  }

  @Test
  void valueFilterOfAnExistingProgram() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      User user = granted(t, "scvf", F, "name");
      SingleColumnValueFilter filter =
          new SingleColumnValueFilter(F, q("name"), CompareOperator.EQUAL, Bytes.toBytes("n1"));
      filter.setFilterIfMissing(true);
      Scan both = new Scan().addColumn(F, q("price")).addColumn(F, q("name"));
      assertThat(scanned(t, user, both.setFilter((Filter) filter))).hasSize(9);
    }
  }

  @Test
  void questionsAreAnsweredToSuperusersOnly() throws Exception {
    try (IndexedTableFixture t = table(false)) {
      fill(t);
      assertThat(Regions.status(cluster, t.name())).hasSize(1);
      User user = granted(t, "asking", null, null);
      assertThat(ask(t, user, new Get(Bytes.toBytes("r"))).isEmpty()).isTrue();
      Get narrow = new Get(Bytes.toBytes("r")).addColumn(F, q("price"));
      assertThat(ask(t, User.getCurrent(), narrow).isEmpty()).isTrue();
    }
  }

  private static Result ask(IndexedTableFixture t, User user, Get get) throws Exception {
    get.setAttribute(Attributes.REQUEST, RegionRequest.of(RegionRequest.Kind.STATUS).encode());
    return Secured.as(cluster, user, t.name(), (c, table) -> table.get(get));
  }

  /**
   * A marker deletes the cells that have its label, no others: what was below comes up again, and
   * an index that is updated in place has let go of its entry (model check seed 319).
   */
  @Test
  void whatADeleteUncoversHasItsEntry() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(
            cluster, f -> f.setMaxVersions(3), d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitBuilt();
      t.write(GlobalFixture.put("r", 1, 100).setCellVisibility(new CellVisibility(SECRET)));
      t.write(GlobalFixture.put("r", 2, 200));
      EntriesByHand.delete(cluster, t.indexName(), List.of(new Delete(t.indexRow("r", 1))));
      t.table().delete(new Delete(Bytes.toBytes("r")));
      assertThat(
              t.table().get(new Get(Bytes.toBytes("r"))).getValue(GlobalFixture.F, GlobalFixture.V))
          .isEqualTo(Bytes.toBytes(1L));
      assertThat(t.entries()).contains(t.entry("r", 1, 100));
    }
  }

  /**
   * HBase becomes the user who loads a file only after observers have seen it: what they read, they
   * must read as that user.
   */
  @Test
  void aFileOfSomebodyElseGivesNoEntries() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      Path file =
          BulkFile.write(
              cluster,
              BloomType.ROW,
              List.of(
                  new KeyValue(Bytes.toBytes("r"), F, GlobalFixture.V, 100, Bytes.toBytes(7L))));
      FileSystem fs = cluster.util().getTestFileSystem();
      fs.setPermission(file, new FsPermission("600"));
      User loader = loader(t);

      Throwable refused = catchThrowable(() -> load(t, loader, file));
      assertThat(t.entries()).isEmpty();
      assertThat(refused).hasMessageContaining("Permission denied");

      fs.setOwner(file, loader.getShortName(), "users");
      fs.setOwner(file.getParent(), loader.getShortName(), "users");
      load(t, loader, file);
      assertThat(t.entries()).containsExactly(t.entry("r", 7, 100));
    }
  }

  private static User loader(GlobalFixture t) {
    User user = Secured.user(cluster, "loader");
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                t.name(),
                user.getShortName(),
                null,
                null,
                Permission.Action.CREATE,
                Permission.Action.READ));
    return user;
  }

  /** As a client does that does not look at the file itself. */
  private static void load(GlobalFixture t, User user, Path file) throws Exception {
    Secured.as(
        cluster,
        user,
        t.name(),
        (c, table) -> {
          SecureBulkLoadClient client =
              new SecureBulkLoadClient(cluster.util().getConfiguration(), table);
          String token = client.prepareBulkLoad(c);
          HRegionLocation at = c.getRegionLocator(t.name()).getRegionLocation(new byte[0]);
          return client.secureBulkLoadHFiles(
              ((ClusterConnection) c).getClient(at.getServerName()),
              List.of(new Pair<>(F, file.toString())),
              at.getRegion().getRegionName(),
              true,
              null,
              token);
        });
  }
}
