package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.server.EmbeddedHBase;
import io.spyhop.cli.server.SecuredHBase;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of users who do not own everything. */
class SecuredCommandsTest {
  private static final TableName FISH = TableName.valueOf("fish");
  private static final byte[] D = Bytes.toBytes("d");

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofMillis(50);

  @TempDir private static Path dir;

  private static EmbeddedHBase hbase;
  private static Connection superuser;

  @BeforeAll
  static void start() throws IOException {
    hbase = SecuredHBase.start(dir);
    superuser = ConnectionFactory.createConnection(hbase.clientConfiguration());
    eventually(() -> superuser.getAdmin().isTableAvailable(PermissionStorage.ACL_TABLE_NAME));
    try (Admin admin = superuser.getAdmin();
        Table fish = superuser.getTable(FISH)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(FISH)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build());
      fish.put(new Put(D).addColumn(D, Bytes.toBytes("weight"), Bytes.toBytes(1.5)));
      fish.put(new Put(D).addColumn(D, Bytes.toBytes("length"), Bytes.toBytes(7L)));
    }
    declare("weight", "double", "local");
    declare("length", "long", "global");
    grant("reader", Action.READ);
    grant("writer", Action.READ, Action.WRITE);
    grant("owner", Action.READ, Action.WRITE, Action.CREATE, Action.ADMIN);
  }

  private static void eventually(IoSupplier<Boolean> isSo) throws IOException {
    assertThat(Poll.inRealTime().until(LIMIT, STEP, isSo, so -> so)).isTrue();
  }

  private static void declare(String name, String type, String kind) {
    String[] create = {"index", "create", "fish", name, "--column", "d:" + name, "--wait", "60"};
    Run run = run(create, "--type", type, "--kind", kind);
    assertThat(run.code()).as(run.err()).isZero();
  }

  private static void grant(String user, Action... actions) throws IOException {
    UserPermission granted =
        new UserPermission(user, Permission.newBuilder(FISH).withActions(actions).build());
    try (Admin admin = superuser.getAdmin()) {
      admin.grant(granted, false);
    }
    IoSupplier<Run> query = () -> as(user, "query", "fish", "weight = 1.5");
    Run last = Poll.inRealTime().until(LIMIT, STEP, query, run -> run.code() == 0);
    assertThat(last.code()).as(last.err()).isZero();
  }

  @AfterAll
  static void stop() throws IOException {
    superuser.close();
    hbase.close();
  }

  private static Run run(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    all.addAll(List.of("--zookeeper", hbase.connectString()));
    return Cli.run(all.toArray(new String[0]));
  }

  private static Run as(String name, String... args) throws IOException {
    User user = User.createUserForTesting(hbase.clientConfiguration(), name, new String[0]);
    return user.runAs((PrivilegedAction<Run>) () -> run(args));
  }

  @Test
  void whoMayReadQueries() throws IOException {
    Run run = as("reader", "query", "fish", "weight = 1.5");
    assertThat(run.out().strip()).as(run.err()).isEqualTo("d  d:length=7 d:weight=1.5");
  }

  @Test
  void whoMayReadSeesTheStatus() throws IOException {
    for (String user : List.of("reader", "owner")) {
      Run run = as(user, "index", "status", "fish");
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out().lines().skip(1).toList())
          .as(user)
          .satisfiesExactly(
              length -> assertThat(length).matches("length +GLOBAL +d:length +LONG +ACTIVE .*"),
              weight -> assertThat(weight).matches("weight +LOCAL +d:weight +DOUBLE +ACTIVE .*"));
    }
  }

  @Test
  void whoMayWriteImports() throws IOException {
    Path file = Files.writeString(dir.resolve("in.csv"), "key,d:name\nwren,w\n");
    Run run = as("writer", "import", "fish", file.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(as("reader", "query", "fish", "CAST(d:name AS STRING) = 'w'").out().strip())
        .isEqualTo("wren  d:name=w");
    Path other = Files.writeString(dir.resolve("other.csv"), "key,x:name\nowl,o\n");
    Run refused = as("writer", "import", "fish", other.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("amily x does not exist");
  }
}
