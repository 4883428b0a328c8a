package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.entry.EntryDeleter;
import io.spyhop.server.index.global.repair.PhysicalCells;
import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairForwarder;
import io.spyhop.server.index.global.repair.RepairMetrics;
import io.spyhop.server.index.global.repair.RepairQueue;
import io.spyhop.server.index.global.repair.RepairSettings;
import io.spyhop.server.index.global.repair.RepairedIndexes;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with a global index on {@code f:v} (STRING) whose entries the test writes itself, and a
 * repair queue of its own with a clock that stands still.
 */
final class RepairedTable implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] V = Bytes.toBytes("v");
  private static final AtomicInteger TABLES = new AtomicInteger();

  /** The settings that a table is made with. */
  static final class Options {
    UnaryOperator<ColumnFamilyDescriptorBuilder> family = f -> f;
    UnaryOperator<IndexDefinition.Builder> index = i -> i;
    List<String> observers = List.of(RepairObserver.class.getName());
    List<byte[]> splits = List.of();
    Map<String, String> settings = Map.of();

    Options family(UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
      family = change;
      return this;
    }

    Options index(UnaryOperator<IndexDefinition.Builder> change) {
      index = change;
      return this;
    }

    Options observers(Class<?>... classes) {
      observers = java.util.Arrays.stream(classes).map(Class::getName).toList();
      return this;
    }

    Options splits(String... rows) {
      splits = java.util.Arrays.stream(rows).map(Bytes::toBytes).toList();
      return this;
    }
  }

  final AtomicLong clock = new AtomicLong(System.currentTimeMillis());
  final RepairMetrics metrics;
  private final MetricRegistry registry;
  final IndexDefinition index;
  private final TestCluster cluster = TestCluster.get();
  private final TableName name = TableName.valueOf("repaired" + TABLES.incrementAndGet());
  private final TableName indexName;
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final Table table;
  private final Table entries;
  volatile EntryDeleter deleter = this::delete;
  volatile RepairForwarder forwarder = this::forward;
  volatile Predicate<String> gone = r -> false;

  /** Whether it cannot be told which indexes the table keeps. */
  volatile boolean unknown;

  /** How often the index table was read from its first entry on. */
  final AtomicInteger fullLooks = new AtomicInteger();

  final AtomicInteger looks = new AtomicInteger();
  private volatile RepairQueue queue;

  RepairedTable(Options options) throws IOException {
    registry =
        new MetricRegistriesImpl()
            .create(new MetricRegistryInfo("repair", "test", "test", "test", false));
    metrics = new RepairMetrics(registry);
    index =
        options
            .index
            .apply(
                IndexDefinition.builder("i")
                    .kind(IndexKind.GLOBAL)
                    .column("f:v")
                    .type(ValueType.STRING))
            .build();
    queue = newQueue(0);
    RepairObserver.TABLES.put(name, this::open);
    TableDescriptorBuilder base =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                options.family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build());
    for (String o : options.observers) {
      base.setCoprocessor(o);
    }
    options.settings.forEach(base::setValue);
    cluster.admin().createTable(base.build(), options.splits.toArray(byte[][]::new));
    cluster.admin().createTable(IndexTable.descriptor(base.build(), index));
    indexName = IndexTable.nameOf(name, index.name());
    table = cluster.connection().getTable(name);
    entries = cluster.connection().getTable(indexName);
  }

  private RepairQueue newQueue(long grace) {
    return new RepairQueue(
        new RepairQueue.Ways(
            (r, t, e) -> deleter.delete(r, t, e),
            this::page,
            this::exist,
            (t, e) -> forwarder.forward(t, e)),
        executor,
        clock::get,
        new RepairSettings(grace, 100, 7, 1_000, 1_000, 1 << 20, 2),
        metrics,
        new Complaints(System::nanoTime));
  }

  private RegionRepair open(HRegion region) {
    return RegionRepair.open(
        queue,
        region,
        new RepairedIndexes() {
          @Override
          public List<IndexDefinition> kept() throws IOException {
            if (unknown) {
              throw new IOException("it is not known yet");
            }
            return possible();
          }

          @Override
          public List<IndexDefinition> possible() {
            return List.of(index);
          }
        },
        () -> {
          looks.incrementAndGet();
          return gone;
        });
  }

  /** Regions that open from now on use another queue, as those on another server would. */
  void newServer(long graceMillis) {
    queue = newQueue(graceMillis);
  }

  void delete(HRegion base, TableName from, List<Entry> its) throws IOException {
    List<Delete> deletes =
        its.stream()
            .map(
                e ->
                    new Delete(e.indexRow())
                        .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, e.timestamp()))
            .toList();
    EntriesByHand.delete(cluster, from, deletes);
  }

  private List<Entry> page(TableName from, byte[] row, int rows) throws IOException {
    List<Entry> page = new ArrayList<>();
    if (row.length == 1) {
      fullLooks.incrementAndGet();
    }
    try (ResultScanner found =
        entries.getScanner(
            new Scan().addFamily(IndexTable.ENTRIES).withStartRow(row).setLimit(rows))) {
      for (Result r : found) {
        for (Cell c : r.rawCells()) {
          page.add(Entry.of(r.getRow(), 0, r.getRow().length, c.getTimestamp()));
        }
      }
    }
    return page;
  }

  private boolean[] exist(TableName indexTable, List<Entry> its) throws IOException {
    boolean[] exist = new boolean[its.size()];
    for (int i = 0; i < exist.length; i++) {
      exist[i] =
          entries.exists(
              new Get(its.get(i).indexRow())
                  .addFamily(IndexTable.ENTRIES)
                  .setTimestamp(its.get(i).timestamp()));
    }
    return exist;
  }

  private void forward(TableName base, EntryList list) throws IOException {
    List<HRegion> regions = cluster.regions(base);
    for (Entry e : list.entries()) {
      if (regions.stream().noneMatch(r -> HRegion.rowIsInRange(r.getRegionInfo(), e.row()))) {
        throw new IOException("the region of " + e + " is not open");
      }
    }
    for (HRegion r : regions) {
      List<Entry> its =
          list.entries().stream()
              .filter(e -> HRegion.rowIsInRange(r.getRegionInfo(), e.row()))
              .toList();
      repair(r).accept(new EntryList(list.index(), list.incarnation(), its));
    }
  }

  TableName name() {
    return name;
  }

  TableName indexName() {
    return indexName;
  }

  Table table() {
    return table;
  }

  RepairQueue queue() {
    return queue;
  }

  /** How many lists the first server has given up. */
  int givenUp() {
    return (Integer) ((Gauge<?>) registry.get("spyhopRepairsGivenUp").orElseThrow()).getValue();
  }

  HRegion region() {
    return cluster.regions(name).get(0);
  }

  static RegionRepair repair(HRegion region) {
    return region.getCoprocessorHost().findCoprocessor(RepairObserver.class).repair();
  }

  Entry entry(String row, String value, long timestamp) {
    byte[] bytes = Bytes.toBytes(value);
    return new Entry(
        index.type().codec().key(bytes, 0, bytes.length).bytes(), Bytes.toBytes(row), timestamp);
  }

  /** Writes the entry and then the cell, as a write to an indexed table does. */
  void put(String row, String value, long timestamp) throws IOException {
    putEntry(row, value, timestamp);
    table.put(cell(row, value, timestamp));
  }

  static Put cell(String row, String value, long timestamp) {
    return new Put(Bytes.toBytes(row)).addColumn(F, V, timestamp, Bytes.toBytes(value));
  }

  void putEntry(String row, String value, long timestamp) throws IOException {
    entries.put(
        new Put(entry(row, value, timestamp).indexRow())
            .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, timestamp, new byte[0]));
  }

  /** Writes what a compaction will drop two entries of. */
  void droppedByCompaction() throws Exception {
    put("r", "a", 1);
    put("s", "a", 1);
    flush();
    put("r", "b", 2);
    table.delete(new Delete(Bytes.toBytes("s")));
    flush();
    drain();
    assertThat(entries()).hasSize(3);
  }

  void hint(Entry... hints) {
    for (HRegion r : cluster.regions(name)) {
      List<Entry> its =
          java.util.Arrays.stream(hints)
              .filter(e -> HRegion.rowIsInRange(r.getRegionInfo(), e.row()))
              .toList();
      if (!its.isEmpty()) {
        repair(r).hint(new EntryList(index.name(), index.incarnation(), its));
      }
    }
  }

  void flush() throws IOException {
    Regions.flush(cluster, name);
  }

  void compact(boolean major) throws IOException {
    Regions.compact(cluster, name, major);
  }

  void drain() throws InterruptedException {
    queue.drain();
  }

  /** The index table's entries. */
  SortedSet<String> entries() throws IOException {
    SortedSet<String> all = new TreeSet<>();
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES).readAllVersions();
    try (ResultScanner rows = entries.getScanner(scan)) {
      for (Result r : rows) {
        for (Cell c : r.rawCells()) {
          byte[] row = CellUtil.cloneRow(c);
          all.add(Entry.of(row, 0, row.length, c.getTimestamp()).toString());
        }
      }
    }
    return all;
  }

  String text(String row, String value, long timestamp) {
    return entry(row, value, timestamp).toString();
  }

  /** Everything that is stored, in order. */
  List<String> stored() throws IOException {
    List<String> all = new ArrayList<>();
    for (HRegion r : cluster.regions(name)) {
      try (PhysicalCells cells = PhysicalCells.range(r, F, new byte[0], new byte[0])) {
        for (Cell c = cells.next(); c != null; c = cells.next()) {
          all.add(
              CellUtil.toString(c, false).replaceAll("/seqid=\\d+", "")
                  + "="
                  + Bytes.toStringBinary(CellUtil.cloneValue(c)));
          cells.shipped();
        }
      }
    }
    return all;
  }

  boolean entriesExpire() throws IOException {
    int ttl = entries.getDescriptor().getColumnFamily(IndexTable.ENTRIES).getTimeToLive();
    return ttl != HConstants.FOREVER;
  }

  /** The entries that the stored cells need. */
  SortedSet<String> needed() throws IOException {
    return needed(Long.MIN_VALUE);
  }

  /** The entries that the stored cells need that are not older. */
  SortedSet<String> needed(long oldest) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    for (HRegion r : cluster.regions(name)) {
      try (PhysicalCells cells = PhysicalCells.range(r, F, new byte[0], new byte[0])) {
        for (Cell c = cells.next(); c != null; c = cells.next()) {
          boolean young = c.getTimestamp() >= oldest;
          if (young && CellUtil.isPut(c) && CellUtil.matchingQualifier(c, V)) {
            String row = Bytes.toString(CellUtil.cloneRow(c));
            String value = Bytes.toString(CellUtil.cloneValue(c));
            all.add(text(row, value, c.getTimestamp()));
          }
        }
      }
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    table.close();
    entries.close();
    for (TableName t : List.of(name, indexName)) {
      if (cluster.admin().tableExists(t)) {
        if (cluster.admin().isTableEnabled(t)) {
          cluster.admin().disableTable(t);
        }
        cluster.admin().deleteTable(t);
      }
    }
    queue.close();
    executor.shutdownNow();
    RepairObserver.TABLES.remove(name);
  }
}
