package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers learn from the master which tables' definitions have changed. */
class DefinitionsNodeTest {
  private static final TableName ONE = TableName.valueOf("told_one");
  private static final TableName OTHER = TableName.valueOf("space:told");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestCluster cluster = TestCluster.get();
  private final List<Optional<TableName>> told = new CopyOnWriteArrayList<>();
  private ZKWatcher zk;

  @BeforeEach
  void watch() throws IOException {
    zk = new ZKWatcher(cluster.util().getConfiguration(), "told", null);
    DefinitionsNode.watch(zk, Runnable::run, told::add);
  }

  @AfterEach
  void close() {
    zk.close();
  }

  private static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await(what).atMost(PATIENCE).until(condition);
  }

  @Test
  void theMasterTellsOfEachChangeOfDefinitions() throws IOException {
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(ONE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                .build());
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      IndexDefinition index =
          IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build();
      spyhop.admin().createIndex(ONE, index);
      await("the index is told of", () -> told.contains(Optional.of(ONE)));
      int before = told.size();
      spyhop.admin().dropIndex(ONE, "price");
      await("that it is gone, too", () -> told.size() > before);
    } finally {
      cluster.util().deleteTable(ONE);
    }
  }

  @Test
  void aChangeNamesItsTableAndSeveralNameNone() throws IOException {
    DefinitionsNode.tell(zk, OTHER);
    await("one change", () -> told.contains(Optional.of(OTHER)));
    ZKWatcher late = new ZKWatcher(cluster.util().getConfiguration(), "late", null);
    try {
      List<Optional<TableName>> toldLate = new CopyOnWriteArrayList<>();
      List<Runnable> waiting = new CopyOnWriteArrayList<>();
      DefinitionsNode.watch(late, waiting::add, toldLate::add);
      waiting.remove(0).run();
      DefinitionsNode.tell(zk, ONE);
      DefinitionsNode.tell(zk, OTHER);
      await("an event", () -> !waiting.isEmpty());
      waiting.remove(0).run();
      assertThat(toldLate).containsExactly(Optional.empty());
    } finally {
      late.close();
    }
  }

  /** Between two looks it may be deleted and written, in any order. */
  @ParameterizedTest
  @ValueSource(strings = {"write delete", "delete write", "delete write delete", "delete"})
  void noChangeIsLostWithTheNode(String history) throws KeeperException, IOException {
    String node = ZNodePaths.joinZNode(zk.getZNodePaths().baseZNode, "spyhop-definitions");
    ZKUtil.deleteNodeFailSilent(zk, node);
    DefinitionsNode.tell(zk, ONE);
    ZKWatcher late = new ZKWatcher(cluster.util().getConfiguration(), "late", null);
    try {
      List<Optional<TableName>> toldLate = new CopyOnWriteArrayList<>();
      List<Runnable> waiting = new CopyOnWriteArrayList<>();
      DefinitionsNode.watch(late, waiting::add, toldLate::add);
      waiting.remove(0).run();
      for (String step : history.split(" ")) {
        if (step.equals("write")) {
          DefinitionsNode.tell(zk, OTHER);
        } else {
          ZKUtil.deleteNode(zk, node);
        }
      }
      await("an event", () -> !waiting.isEmpty());
      waiting.remove(0).run();
      assertThat(toldLate).containsExactly(Optional.empty());
    } finally {
      late.close();
    }
  }

  /** A server that could not look tries again, and takes all for changed. */
  @Test
  void aNodeThatCannotBeReadIsLookedAtAgain() throws Exception {
    String node = ZNodePaths.joinZNode(zk.getZNodePaths().baseZNode, "spyhop-definitions");
    ZKUtil.deleteNodeFailSilent(zk, node);
    zk.getRecoverableZooKeeper()
        .create(
            node,
            new byte[0],
            new ArrayList<>(
                List.of(
                    new ACL(
                        ZooDefs.Perms.ADMIN | ZooDefs.Perms.DELETE, ZooDefs.Ids.ANYONE_ID_UNSAFE))),
            CreateMode.PERSISTENT);
    ZKWatcher late = new ZKWatcher(cluster.util().getConfiguration(), "late", null);
    try {
      List<Optional<TableName>> toldLate = new CopyOnWriteArrayList<>();
      DefinitionsNode watch = DefinitionsNode.watch(late, Runnable::run, toldLate::add);
      ZKUtil.deleteNode(zk, node);
      DefinitionsNode.tell(zk, ONE);
      watch.lookIfBlind();
      assertThat(toldLate).contains(Optional.empty());
      DefinitionsNode.tell(zk, OTHER);
      await("the next change", () -> toldLate.contains(Optional.of(OTHER)));
      int before = toldLate.size();
      watch.lookIfBlind();
      assertThat(toldLate).hasSize(before);
    } finally {
      late.close();
    }
  }

  @Test
  void aNodeThatIsGoneOrUnreadableDoesNoHarm() throws KeeperException, IOException {
    String node = ZNodePaths.joinZNode(zk.getZNodePaths().baseZNode, "spyhop-definitions");
    DefinitionsNode.tell(zk, ONE);
    await("a change", () -> told.contains(Optional.of(ONE)));
    for (byte[] strange : new byte[][] {{}, {1}, {'S', 'P', 'D', 'N', 1}}) {
      int before = told.size();
      ZKUtil.setData(zk, node, strange);
      await("a change of some table", () -> told.size() > before);
      assertThat(told.get(told.size() - 1)).isEmpty();
    }
    ZKUtil.deleteNode(zk, node);
    int before = told.size();
    DefinitionsNode.tell(zk, OTHER);
    await("a change after it was deleted", () -> told.size() > before);
  }
}
