package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.admin.GlobalIndexes;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rights to have global indexes made, and the owners of their tables. HBase 2.6.1 lets only
 * those call a coprocessor of the master who have ADMIN on everything.
 */
class SecuredDdlTest {
  private static final TableName BASE = TableName.valueOf("secured_ddl");
  private static final TableName INDEX = IndexTable.nameOf(BASE, "price");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] NOTE = {0x00, 0x07};

  private static TestCluster cluster;
  private static User owner;
  private static User reader;
  private static User tableOwner;

  @BeforeAll
  static void start() throws Exception {
    cluster = Secured.start("", "");
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(BASE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    owner = Secured.user(cluster, "owner");
    reader = Secured.user(cluster, "reader");
    tableOwner = Secured.user(cluster, "tableOwner");
    grant("owner", Action.READ, Action.WRITE);
    Secured.eventually(
        "granting", () -> AccessControlClient.grant(cluster.connection(), "owner", Action.ADMIN));
    grant("reader", Action.READ, Action.WRITE);
    grant("tableOwner", Action.READ, Action.ADMIN);
    for (User user : List.of(owner, reader, tableOwner)) {
      Secured.eventually("the grants", () -> scan(user, BASE));
    }
  }

  private static void grant(String user, Action... actions) {
    Secured.eventually(
        "granting",
        () -> AccessControlClient.grant(cluster.connection(), BASE, user, null, null, actions));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Object scan(User user, TableName name) throws Exception {
    return Secured.as(
        cluster,
        user,
        name,
        (c, table) -> {
          try (var rows = table.getScanner(new Scan())) {
            return rows.next();
          }
        });
  }

  /** A user's work on indexes. */
  private interface Work {
    void with(Spyhop spyhop) throws IOException;
  }

  private static void as(User user, Work work) throws Exception {
    Secured.as(
        cluster,
        user,
        BASE,
        (c, table) -> {
          try (Spyhop spyhop = Spyhop.connect(c)) {
            work.with(spyhop);
          }
          return null;
        });
  }

  private static IndexDefinition price() {
    return IndexDefinition.builder("price")
        .kind(IndexKind.GLOBAL)
        .column("f:price")
        .type(ValueType.LONG)
        .build();
  }

  /** HBase shows a table's descriptor only to who may change it. */
  private static void requestAs(User user, IndexDefinition index, boolean create) throws Exception {
    Secured.as(
        cluster,
        user,
        BASE,
        (c, table) -> {
          var master = new GlobalIndexes(c);
          if (create) {
            master.create(c.getAdmin(), BASE, index, List.of());
          } else {
            master.drop(c.getAdmin(), BASE, index);
          }
          return null;
        });
  }

  @Test
  void needsAdminAndGivesNoRightsToTheIndexTable() throws Exception {
    IndexDefinition index = price();
    assertThatThrownBy(() -> requestAs(reader, index, true))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(cluster.admin().tableExists(INDEX)).isFalse();
    as(owner, spyhop -> spyhop.admin().createIndex(BASE, index));
    for (User user : List.of(owner, reader)) {
      assertThatThrownBy(() -> scan(user, INDEX)).isInstanceOf(AccessDeniedException.class);
    }
    assertThatThrownBy(() -> requestAs(reader, index, false))
        .isInstanceOf(AccessDeniedException.class);
    othersCannotUnbuild();
    as(owner, spyhop -> spyhop.admin().dropIndex(BASE, "price"));
    assertThat(cluster.admin().tableExists(INDEX)).isFalse();
  }

  /** The right to the table alone: HBase tells such a user nothing of its servers. */
  @Test
  void whoOwnsTheTableMakesIndexesInIt() throws Exception {
    for (IndexKind kind : List.of(IndexKind.LOCAL, IndexKind.STATS)) {
      IndexDefinition index =
          IndexDefinition.builder("amount")
              .kind(kind)
              .column("f:amount")
              .type(ValueType.LONG)
              .build();
      as(
          tableOwner,
          spyhop -> {
            spyhop.admin().createIndex(BASE, index);
            spyhop.admin().waitUntilActive(BASE, Duration.ofSeconds(60));
            spyhop.admin().rebuildIndex(BASE, "amount");
            spyhop.admin().dropIndex(BASE, "amount");
          });
    }
    assertThatThrownBy(() -> as(tableOwner, spyhop -> spyhop.admin().createIndex(BASE, price())))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("takes ADMIN on everything");
  }

  /** A descriptor with definitions has their tables made as {@code createIndex} has. */
  @Test
  void whoMayCreateTablesDoesNotCreateThemWithGlobalIndexes() throws Exception {
    User creator = Secured.user(cluster, "creator");
    Secured.eventually(
        "granting",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR,
                "creator",
                Action.CREATE));
    TableName name = TableName.valueOf("created_with_index");
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build();
    TableDescriptor indexed = IndexSchema.withIndex(plain, price());
    assertThatThrownBy(() -> create(creator, indexed))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("ADMIN on everything");
    assertThat(cluster.admin().tableExists(name)).isFalse();
    create(creator, plain);
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
    create(owner, indexed);
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }

  private static void create(User user, TableDescriptor table) throws Exception {
    Secured.as(
        cluster,
        user,
        table.getTableName(),
        (c, t) -> {
          c.getAdmin().createTable(table);
          return null;
        });
  }

  /** The order of coprocessors is the site's: nothing may happen before access is checked. */
  private void othersCannotUnbuild() throws Exception {
    try (Table t = cluster.connection().getTable(INDEX)) {
      t.put(new Put(NOTE).addColumn(IndexTable.CONTROL, F, F));
    }
    cluster.admin().disableTable(BASE);
    assertThatThrownBy(
            () ->
                Secured.as(
                    cluster,
                    reader,
                    BASE,
                    (c, table) -> {
                      c.getAdmin().truncateTable(BASE, true);
                      return null;
                    }))
        .isInstanceOf(AccessDeniedException.class);
    cluster.admin().enableTable(BASE);
    try (Table t = cluster.connection().getTable(INDEX)) {
      assertThat(t.exists(new Get(NOTE))).isTrue();
    }
  }
}
