package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.constraint.ConstraintProcessor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.protobuf.ReplicationProtbufUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ways into a table and its index for which HBase asks nobody's rights, or later than Spyhop. */
class StrangersTest {
  private static final String HFILE = "0123456789abcdef0123456789abcdef";

  /** Where everybody may write. */
  private static final String STAGING = "/staging-of-all";

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Secured.start(
            1,
            ConstraintProcessor.class.getName(),
            "",
            conf -> conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3));
    FileSystem shared = cluster.util().getTestFileSystem();
    shared.mkdirs(new Path(STAGING));
    shared.setPermission(new Path(STAGING), new FsPermission((short) 0777));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void write(FileSystem fs, Path file) throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(
                cluster.util().getConfiguration(),
                new CacheConfig(cluster.util().getConfiguration()))
            .withPath(fs, file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(
          new KeyValue(
              Bytes.toBytes("secret"), GlobalFixture.F, GlobalFixture.V, 1, Bytes.toBytes(4711L)));
    }
    fs.setPermission(file, new FsPermission((short) 0600));
  }

  private static boolean load(User who, TableName table, String path) throws Exception {
    return load(who, table, cluster.regions(table).get(0), path, STAGING);
  }

  private static boolean load(User who, TableName table, HRegion region, String path, String token)
      throws Exception {
    ServerName server = cluster.serverOf(region);
    return Secured.as(
        cluster,
        who,
        table,
        (c, t) ->
            ((ClusterConnection) c)
                .getClient(server)
                .bulkLoadHFile(
                    null,
                    RequestConverter.buildBulkLoadHFileRequest(
                        List.of(new Pair<>(GlobalFixture.F, path)),
                        region.getRegionInfo().getRegionName(),
                        true,
                        null,
                        token))
                .getLoaded());
  }

  /** A local file system reads as the server does, for any user. */
  @Test
  void filesThatTheLoaderMayNotReadAreNotIndexed() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      User loader = Secured.user(cluster, "loader");
      Permission all =
          Permission.newBuilder(t.name()).withActions(Permission.Action.values()).build();
      cluster.admin().grant(new UserPermission(loader.getShortName(), all), true);
      t.awaitBuilt();
      FileSystem shared = cluster.util().getTestFileSystem();
      Path remote = new Path("/private/f/" + HFILE);
      shared.mkdirs(remote.getParent());
      write(shared, remote);
      Path local = new Path(Files.createTempDirectory("private").toUri().toString(), HFILE);
      write(FileSystem.getLocal(cluster.util().getConfiguration()).getRaw(), local);
      for (Path file : List.of(remote, local)) {
        assertThatThrownBy(() -> assertThat(load(loader, t.name(), file.toString())).isTrue());
        assertThat(t.entries()).as("of %s", file).isEmpty();
      }
    }
  }

  /**
   * HBase asks for a user's rights in a coprocessor of its own, here the second that is configured.
   */
  @Test
  void filesOfWhoMayNotLoadAreNotIndexed() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      FileSystem shared = cluster.util().getTestFileSystem();
      Path file = new Path("/open/f/" + HFILE);
      shared.mkdirs(file.getParent());
      write(shared, file);
      shared.setPermission(file, new FsPermission((short) 0644));
      assertThatThrownBy(() -> load(Secured.user(cluster, "nobody"), t.name(), file.toString()))
          .hasStackTraceContaining("AccessDeniedException");
      assertThat(t.entries()).isEmpty();
    }
  }

  /** HBase looks at the token when all entries are written, and loads nothing. */
  @Test
  void filesOfALoadWithAWrongTokenAreNotIndexed() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      User loader = Secured.user(cluster, "tokenless");
      Permission all =
          Permission.newBuilder(t.name()).withActions(Permission.Action.values()).build();
      cluster.admin().grant(new UserPermission(loader.getShortName(), all), true);
      t.awaitBuilt();
      FileSystem shared = cluster.util().getTestFileSystem();
      Path file = new Path("/tokenless/f/" + HFILE);
      shared.mkdirs(file.getParent());
      write(shared, file);
      shared.setPermission(file, new FsPermission((short) 0666));
      HRegion region = cluster.regions(t.name()).get(0);
      assertThatThrownBy(
          () ->
              assertThat(load(loader, t.name(), region, file.toString(), "/no-such-token"))
                  .isTrue());
      assertThat(t.entries()).isEmpty();
    }
  }

  /** HBase refuses it, but later. */
  @Test
  void filesOfOtherRegionsAreNotIndexed() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "m")) {
      t.awaitBuilt();
      HRegion first =
          cluster.regions(t.name()).stream()
              .filter(r -> r.getRegionInfo().getStartKey().length == 0)
              .findFirst()
              .orElseThrow();
      Path file = new Path("/elsewhere/f/" + HFILE);
      cluster.util().getTestFileSystem().mkdirs(file.getParent());
      write(cluster.util().getTestFileSystem(), file);
      assertThatThrownBy(
          () ->
              assertThat(load(User.getCurrent(), t.name(), first, file.toString(), STAGING))
                  .isTrue());
      assertThat(t.entries()).isEmpty();
    }
  }

  private static void replay(TableName table, KeyValue cell) throws Exception {
    HRegion region = cluster.regions(table).get(0);
    ServerName server = cluster.serverOf(region);
    byte[] encoded = region.getRegionInfo().getEncodedNameAsBytes();
    WALKeyImpl key = new WALKeyImpl(encoded, table, 1, System.currentTimeMillis(), new UUID(0, 0));
    WALEdit edit = new WALEdit().add(cell);
    Secured.as(
        cluster,
        Secured.user(cluster, "stranger"),
        table,
        (c, t) -> {
          Pair<ReplicateWALEntryRequest, CellScanner> p =
              ReplicationProtbufUtil.buildReplicateWALEntryRequest(
                  new WAL.Entry[] {new WAL.Entry(key, edit)}, encoded, null, null, null);
          return ((ClusterConnection) c)
              .getAdmin(server)
              .replay(new HBaseRpcControllerImpl(p.getSecond()), p.getFirst());
        });
  }

  /** No index would know of it. */
  @Test
  void editsAreNotReplayedByACall() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.write(GlobalFixture.put("known", 4711));
      t.awaitBuilt();
      KeyValue forged =
          new KeyValue(
              Bytes.toBytes("forged"), GlobalFixture.F, GlobalFixture.V, 100, Bytes.toBytes(4711L));
      assertThatThrownBy(() -> replay(t.name(), forged)).hasStackTraceContaining("has indexes");
      assertThat(t.table().get(new Get(Bytes.toBytes("forged"))).isEmpty()).isTrue();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }
}
