package io.spyhop.server.access;

import io.spyhop.client.Spyhop;
import io.spyhop.server.access.Viewer.Place;
import io.spyhop.server.access.Viewer.Site;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.StandInAuthoriser;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/** A cluster that checks access in one way, with tables and everybody's rights. */
final class MatrixCluster implements AutoCloseable {
  private static final String SECRET = "secret";

  private final Site site;
  private final TestCluster cluster;
  private final Map<Place, SecretTable> tables = new EnumMap<>(Place.class);
  private final ChangedTable changed;

  private MatrixCluster(Site site, TestCluster cluster) throws IOException {
    this.site = site;
    this.cluster = cluster;
    this.changed = new ChangedTable(cluster);
  }

  /** Starts one, fills its tables and grants what its users have. */
  static MatrixCluster start(Site site) throws Exception {
    MatrixCluster started = new MatrixCluster(site, cluster(site));
    try {
      started.fill();
      started.grant();
    } catch (Exception | Error e) {
      started.close();
      throw e;
    }
    return started;
  }

  private static TestCluster cluster(Site site) throws Exception {
    return switch (site) {
      case ACCESS_CONTROL -> Secured.start(1, "", "", MatrixCluster::logSlowly);
      case LABELS ->
          Secured.start(1, "", VisibilityController.class.getName(), MatrixCluster::logSlowly);
      case OTHER -> TestCluster.start(1, MatrixCluster::standIn);
    };
  }

  private static void standIn(Configuration conf) {
    String standIn = StandInAuthoriser.class.getName();
    conf.set("hbase.coprocessor.region.classes", standIn);
    conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName() + "," + standIn);
    logSlowly(conf);
  }

  /** Every query is slow. */
  private static void logSlowly(Configuration conf) {
    conf.setLong("spyhop.slow.query.ms", 1);
    conf.setBoolean("spyhop.slow.query.values", false);
  }

  private void fill() throws Exception {
    if (site == Site.LABELS) {
      cluster.util().waitTableAvailable(TableName.valueOf("hbase:labels"));
      Secured.eventually(
          "a label", () -> VisibilityClient.addLabels(cluster.connection(), new String[] {SECRET}));
    }
    for (Place place : Place.values()) {
      if (place.site() == site) {
        boolean cells = place == Place.CELLS;
        SecretTable table = SecretTable.create(cluster, "kept" + place.ordinal(), cells);
        table.fill(marking(place, true));
        tables.put(place, table);
        try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
          for (String index : List.of("glob", "loc")) {
            spyhop.admin().waitUntilActive(table.name(), index, Duration.ofSeconds(60));
          }
        }
      }
    }
  }

  /** What is put on a row that is for some. */
  private static SecretTable.Marking marking(Place place, boolean granted) {
    Permission read = new Permission(Action.READ);
    return switch (place) {
      case CELLS -> put -> granted ? put.setACL(Viewer.CELLS.user(), read) : put;
      case LABELS -> put -> put.setCellVisibility(new CellVisibility(SECRET));
      default -> put -> put;
    };
  }

  /** Writes more that some may not see; what the others see stays. */
  void hide() throws IOException {
    for (Map.Entry<Place, SecretTable> e : tables.entrySet()) {
      switch (e.getKey()) {
        case GRANTS -> e.getValue().hideInOtherFamily();
        case CELLS, LABELS -> e.getValue().hide("a", marking(e.getKey(), false));
        case OTHER -> e.getValue().hide("b", put -> put);
      }
    }
  }

  private void grant() throws Exception {
    switch (site) {
      case ACCESS_CONTROL -> {
        grant(Viewer.FAMILY, SecretTable.F, null, Action.READ);
        for (byte[] column : List.of(SecretTable.LOC, SecretTable.GLOB, SecretTable.STAT)) {
          grant(Viewer.COLUMN, SecretTable.F, column, Action.READ);
        }
        grant(Viewer.WHOLE, null, null, Action.READ);
        Action[] all = {Action.READ, Action.WRITE, Action.CREATE, Action.ADMIN};
        grant(Viewer.OWNER, null, null, all);
        grant(changed.name(), Viewer.OWNER, null, null, all);
      }
      case LABELS -> grant(Viewer.LABELS, null, null, Action.READ);
      case OTHER -> {}
    }
  }

  private void grant(Viewer viewer, byte[] family, byte[] column, Action... actions) {
    grant(table(viewer.place()).name(), viewer, family, column, actions);
  }

  private void grant(
      TableName table, Viewer viewer, byte[] family, byte[] column, Action... actions) {
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(), table, viewer.user(), family, column, actions));
  }

  /** A user of the cluster, with what it may see; its grants are in effect. */
  Caller caller(Viewer viewer) throws Exception {
    User user = viewer.user().isEmpty() ? User.getCurrent() : Secured.user(cluster, viewer.user());
    Caller caller = new Caller(this, viewer, user);
    boolean sees = viewer != Viewer.NOBODY && viewer != Viewer.REFUSED;
    Secured.eventually(
        "the grants of " + viewer,
        () -> {
          if (sees == caller.visible().isEmpty()) {
            throw new IOException(viewer + " sees the wrong cells");
          }
          if (viewer == Viewer.OWNER) {
            caller.connection().getAdmin().getDescriptor(changed.name());
          }
        });
    caller.look();
    return caller;
  }

  /** The counters that lookups in indexes and statistics move. */
  List<Long> lookups() {
    return List.of(
        cluster.indexedQueries(),
        cluster.sum(m -> m.records),
        cluster.sum(m -> m.candidates),
        cluster.sum(m -> m.rereads),
        cluster.sum(m -> m.segmentedScans));
  }

  TestCluster cluster() {
    return cluster;
  }

  SecretTable table(Place place) {
    return tables.get(place);
  }

  /** A table whose indexes are made and dropped. */
  ChangedTable changed() {
    return changed;
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
