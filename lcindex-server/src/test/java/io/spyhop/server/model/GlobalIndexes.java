package io.spyhop.server.model;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.global.EntryCosts;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** The global indexes of the model's table, and the operations on them and on their tables. */
final class GlobalIndexes implements AutoCloseable {
  private static final int MAX_INDEXES = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final TableName base;
  private final Connection connection;
  private final Spyhop spyhop;

  GlobalIndexes(TestCluster cluster, TableName base) throws IOException {
    this.cluster = cluster;
    this.base = base;
    this.connection = ConnectionFactory.createConnection(clientConfiguration(cluster));
    this.spyhop = Spyhop.connect(connection);
  }

  /**
   * Clients take the grace period for the time that they have for a search. The model's servers
   * have a very short one, so that repairs are due at once; nothing is written while the model
   * asks, so that its searches may take longer. Rows cost so much that entries of a second index
   * are read to leave some out, and cells so much that indexes are asked at all: tables are small.
   */
  static Configuration clientConfiguration(TestCluster cluster) {
    Configuration conf = new Configuration(cluster.util().getConfiguration());
    conf.setLong("spyhop.global.grace.ms", 30_000);
    conf.setLong(EntryCosts.PREFIX + "cell", 1_000_000);
    conf.setLong(EntryCosts.PREFIX + "get", 1_000_000);
    conf.setLong(EntryCosts.PREFIX + "entry", 1);
    conf.setLong(EntryCosts.PREFIX + "call", 0);
    return conf;
  }

  /** A client with time to search. */
  Spyhop spyhop() {
    return spyhop;
  }

  List<IndexDefinition> definitions() throws IOException {
    return IndexSchema.of(cluster.admin().getDescriptor(base)).globals().indexes();
  }

  boolean isBuilt(IndexDefinition index) throws IOException {
    return new IndexCalls(connection, base).built(index).isComplete();
  }

  /** One or two to begin with. */
  void createFirst(Random r) throws IOException {
    for (int n = 1 + r.nextInt(MAX_INDEXES); n > 0; n--) {
      create(r);
    }
  }

  void apply(Operation.Kind kind, Random r) throws IOException {
    if (kind == Operation.Kind.CREATE_GLOBAL) {
      create(r);
      return;
    }
    if (kind == Operation.Kind.REPAIR) {
      Globals.drain(cluster);
      return;
    }
    List<IndexDefinition> indexes = definitions();
    if (indexes.isEmpty()) {
      return;
    }
    IndexDefinition index = indexes.get(r.nextInt(indexes.size()));
    switch (kind) {
      case DROP_GLOBAL -> drop(indexes, index);
      case PUT_FROM_CLIENT -> putFromClient(r, index);
      case REBUILD_GLOBAL -> spyhop.admin().rebuildIndex(base, index.name());
      case REFUSED_DDL -> new RefusedDdl(this, cluster.admin(), base, spyhop.admin()).one(r, index);
      default -> ofTable(kind, r, index);
    }
  }

  private void ofTable(Operation.Kind kind, Random r, IndexDefinition index) throws IOException {
    TableName table = IndexTable.nameOf(base, index.name());
    Topology topology = new Topology(cluster, table);
    switch (kind) {
      case FLUSH_GLOBAL -> Regions.flush(cluster, table);
      case COMPACT_GLOBAL -> Regions.compact(cluster, table, false);
      case MAJOR_COMPACT_GLOBAL -> Regions.compact(cluster, table, true);
      case SPLIT_GLOBAL -> topology.split(indexRow(r, index), r);
      case MERGE_GLOBAL -> topology.apply(Operation.Kind.MERGE, r);
      case MOVE_GLOBAL -> topology.apply(Operation.Kind.MOVE, r);
      default -> throw new IllegalArgumentException(kind.name());
    }
    connection.clearRegionLocationCache();
  }

  /** Where the entry of some value and row is. */
  private static byte[] indexRow(Random r, IndexDefinition index) {
    Column c = Column.of(index);
    byte[] value = c.store(c.literal(r));
    byte[] key = c.type().codec().key(value, 0, value.length).bytes();
    return new Entry(key, Operation.row(r), 0).indexRow();
  }

  private void create(Random r) throws IOException {
    Column c = Column.values()[r.nextInt(Column.values().length)];
    Maintenance[] maintenances = {Maintenance.DEFERRED, Maintenance.DEFERRED, Maintenance.SYNC};
    Repair[] repairs = {Repair.STREAMING, Repair.STREAMING, Repair.STAGED, Repair.OFF};
    IndexDefinition index =
        IndexDefinition.builder("g_" + c.name().toLowerCase(Locale.ROOT))
            .kind(IndexKind.GLOBAL)
            .column(c.text())
            .type(c.type())
            .maintenance(maintenances[r.nextInt(maintenances.length)])
            .repair(repairs[r.nextInt(repairs.length)])
            .build();
    List<?> splits = r.nextBoolean() ? List.of() : splits(c, r);
    List<IndexDefinition> indexes = definitions();
    boolean taken = indexes.stream().anyMatch(i -> i.name().equals(index.name()));
    if (!taken && indexes.size() < MAX_INDEXES) {
      spyhop.admin().createIndex(base, index, splits);
      quiet();
    }
  }

  /** One or two, of different keys. */
  private static List<?> splits(Column c, Random r) {
    Map<ValueKey, Object> splits = new LinkedHashMap<>();
    for (int n = 1 + r.nextInt(2); n > 0; n--) {
      Object value = c.literal(r);
      splits.putIfAbsent(c.type().codec().operand(value).key(), value);
    }
    return List.copyOf(splits.values());
  }

  /** Of several puts at the same few times, so that a ticket may meet entries that were deleted. */
  private void putFromClient(Random r, IndexDefinition index) throws IOException {
    DeferredIndexTable table = spyhop.deferred(base, index.name()).enteringFromClient();
    long now = System.currentTimeMillis();
    for (int n = 1 + r.nextInt(3); n > 0; n--) {
      table.write(Operation.row(r), Column.of(index).literal(r), now - r.nextInt(3));
    }
  }

  /** What a superuser may do: a definition is taken away for a while, and its table stays. */
  void putBack(Random r, Topology.Writes meanwhile) throws IOException {
    List<IndexDefinition> indexes = definitions();
    if (indexes.isEmpty()) {
      return;
    }
    IndexDefinition index = indexes.get(r.nextInt(indexes.size()));
    boolean reopen = r.nextBoolean();
    TableDescriptor with = cluster.admin().getDescriptor(base);
    alter(IndexSchema.withoutIndex(with, index.name()), reopen);
    meanwhile.make();
    alter(with, r.nextInt(4) == 0 || reopen);
  }

  /** HBase takes a table's unchanged coprocessors for changed ones, which need its regions anew. */
  private void alter(TableDescriptor changed, boolean reopen) throws IOException {
    boolean reopened = reopen || !changed.getCoprocessorDescriptors().isEmpty();
    cluster.admin().modifyTable(changed, reopened);
    if (!reopened) {
      Regions.refresh(cluster, base);
    }
  }

  private void drop(List<IndexDefinition> indexes, IndexDefinition index) throws IOException {
    if (indexes.size() > 1) {
      spyhop.admin().dropIndex(base, index.name());
    }
  }

  /** What is done while there are none; the next is built over what the memstores have by then. */
  void without(Random r, Step step) throws IOException {
    for (IndexDefinition d : definitions()) {
      spyhop.admin().dropIndex(base, d.name());
    }
    step.run();
    createFirst(r);
    awaitBuilt();
  }

  /** A step of a history. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** A new table's regions may be compacted by themselves, too. */
  private void quiet() throws IOException {
    new Topology(cluster, base).stopBackgroundCompactions();
  }

  /** Waits until all are built, which none is beside a late writer: that one goes first. */
  void awaitBuilt() throws IOException {
    TableDescriptor now = cluster.admin().getDescriptor(base);
    if (LateWriter.isIn(now)) {
      cluster.admin().modifyTable(LateWriter.remove(now));
    }
    spyhop.admin().waitUntilActive(base, PATIENCE);
  }

  /** Waits until all regions of index tables are somewhere, and looks them up anew. */
  void awaitRegions() throws IOException {
    for (IndexDefinition d : definitions()) {
      TableName table = IndexTable.nameOf(base, d.name());
      Topology topology = new Topology(cluster, table);
      topology.awaitRegions(topology.regions().size());
    }
    forgetLocations();
  }

  /** Waits until there is a table of each definition, which the master makes by itself. */
  void awaitTables() throws IOException {
    for (IndexDefinition d : definitions()) {
      TableName table = IndexTable.nameOf(base, d.name());
      Awaitility.await(table + " to be there")
          .atMost(PATIENCE)
          .until(() -> cluster.admin().tableExists(table) && cluster.admin().isTableEnabled(table));
    }
  }

  void forgetLocations() {
    connection.clearRegionLocationCache();
  }

  /** Waits until no look at all entries is owed any more, as after the truncation of a region. */
  private void awaitLooked() throws IOException {
    for (IndexDefinition d : definitions()) {
      try (Table index = cluster.connection().getTable(IndexTable.nameOf(base, d.name()))) {
        Awaitility.await("all entries of " + d + " to be looked at")
            .atMost(PATIENCE)
            .until(() -> index.get(ControlRows.Look.get()).isEmpty());
      }
    }
  }

  /**
   * Brings everything to an end: nothing is in memory, each store has one file, and what was
   * dropped on the way there has been repaired.
   *
   * @param tidy whether no verifier is needed for that
   */
  void settle(boolean tidy) throws IOException {
    awaitBuilt();
    awaitLooked();
    cluster.admin().compactionSwitch(false, List.of());
    Regions.flush(cluster, base);
    Regions.compact(cluster, base, true);
    if (!tidy) {
      for (IndexDefinition d : definitions()) {
        spyhop.admin().verify(base, d.name(), true);
      }
    }
    Globals.drain(cluster);
    for (IndexDefinition d : definitions()) {
      TableName table = IndexTable.nameOf(base, d.name());
      Regions.flush(cluster, table);
      Regions.compact(cluster, table, true);
    }
    Awaitility.await("no repair to be waiting")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              Globals.drain(cluster);
              return Globals.repairs(cluster).stream().allMatch(q -> q.waiting() == 0);
            });
  }

  /** Leaves nothing of the table's name: deleting the table drops its indexes. */
  @Override
  public void close() throws IOException {
    spyhop.close();
    connection.close();
  }

  @Override
  public String toString() {
    try {
      return definitions().toString();
    } catch (IOException e) {
      return "global indexes of " + base + " (" + Bytes.toString(base.getName()) + "): " + e;
    }
  }
}
