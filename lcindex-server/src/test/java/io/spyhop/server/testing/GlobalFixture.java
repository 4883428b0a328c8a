package io.spyhop.server.testing;

import static org.awaitility.Awaitility.await;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.ControlRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with family {@code f} and a global index {@code v} (LONG) on column {@code f:v}. */
public final class GlobalFixture implements AutoCloseable {
  /** The family. */
  public static final byte[] F = Bytes.toBytes("f");

  /** The indexed column. */
  public static final byte[] V = Bytes.toBytes("v");

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final TestCluster cluster;
  private final TableName name;
  private final IndexDefinition definition;
  private final Table table;

  /** Creates the table in the shared cluster. */
  public GlobalFixture() throws IOException {
    this(TestCluster.get(), f -> f, d -> d);
  }

  /**
   * Creates the table and its index table.
   *
   * @param splits row keys where both are split
   */
  public GlobalFixture(
      TestCluster cluster,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<IndexDefinition.Builder> index,
      String... splits)
      throws IOException {
    this.cluster = cluster;
    this.name = TableName.valueOf("global" + TABLES.incrementAndGet());
    this.definition =
        index
            .apply(
                IndexDefinition.builder("v")
                    .kind(IndexKind.GLOBAL)
                    .column("f:v")
                    .type(ValueType.LONG))
            .build();
    TableDescriptor base =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build())
            .build();
    cluster.admin().createTable(IndexTable.descriptor(base, definition));
    cluster
        .admin()
        .createTable(
            IndexSchema.withIndex(base, definition),
            Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    this.table = cluster.connection().getTable(name);
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /** The index table's name. */
  public TableName indexName() {
    return IndexTable.nameOf(name, definition.name());
  }

  /** The index. */
  public IndexDefinition definition() {
    return definition;
  }

  /** The table. */
  public Table table() {
    return table;
  }

  /** A put of a value. */
  public static Put put(String row, long value) {
    return new Put(Bytes.toBytes(row)).addColumn(F, V, Bytes.toBytes(value));
  }

  /** A put of a value at a time. */
  public static Put put(String row, long value, long timestamp) {
    return new Put(Bytes.toBytes(row)).addColumn(F, V, timestamp, Bytes.toBytes(value));
  }

  /** An entry as {@link #entries} shows it. */
  public String entry(String row, long value, long timestamp) {
    byte[] key = definition.type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp).toString();
  }

  /** The index table's row of an entry. */
  public byte[] indexRow(String row, long value) {
    byte[] key = definition.type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), 0).indexRow();
  }

  /** All entries of the index table. */
  public SortedSet<String> entries() throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    try (Table index = cluster.connection().getTable(indexName());
        ResultScanner scanner =
            index.getScanner(new Scan().addFamily(IndexTable.ENTRIES).readAllVersions())) {
      for (Result r : scanner) {
        for (Cell c : r.rawCells()) {
          byte[] row = CellUtil.cloneRow(c);
          entries.add(Entry.of(row, 0, row.length, c.getTimestamp()).toString());
        }
      }
    }
    return entries;
  }

  /** The entries that the table's cells, masked ones too, should have. */
  public SortedSet<String> expected() throws IOException {
    SortedSet<String> expected = new TreeSet<>();
    try (ResultScanner scanner =
        table.getScanner(new Scan().addFamily(F).setRaw(true).readAllVersions())) {
      for (Result r : scanner) {
        for (Cell c : r.rawCells()) {
          if (CellUtil.isPut(c)
              && definition.column().matches(c)
              && c.getValueLength() == Long.BYTES) {
            long value = Bytes.toLong(CellUtil.cloneValue(c));
            expected.add(entry(Bytes.toString(CellUtil.cloneRow(c)), value, c.getTimestamp()));
          }
        }
      }
    }
    return expected;
  }

  /** Asks an index region. */
  public byte[] ask(byte[] row, Question question, byte[] payload) throws IOException {
    try (Table index = cluster.connection().getTable(indexName())) {
      return ServerCalls.ask(index.coprocessorService(row), question, payload);
    }
  }

  /** A page of entries from the start of the index table. */
  public EntryPage page(int limit) throws IOException {
    byte[] from = {0x01};
    PageRequest request =
        new PageRequest(definition.incarnation(), from, new byte[0], Long.MAX_VALUE, true, limit);
    return EntryPage.decode(ask(from, Question.ENTRIES, request.encode()));
  }

  /** What is built. */
  public BuiltRanges built() throws IOException {
    byte[] incarnation =
        Long.toString(definition.incarnation()).getBytes(StandardCharsets.US_ASCII);
    return BuiltRanges.decode(ask(new byte[1], Question.BUILT, incarnation));
  }

  /** Waits until all is built. */
  public void awaitBuilt() {
    await("index '" + definition + "' of " + name + " to be built")
        .atMost(Duration.ofSeconds(60))
        .until(() -> built().isComplete());
  }

  /** Waits until all is built, and no look at all entries is owed any more, which may find some. */
  public void awaitLooked() throws IOException {
    awaitBuilt();
    try (Table index = cluster.connection().getTable(indexName())) {
      await("all entries of '" + definition + "' of " + name + " to be looked at")
          .atMost(Duration.ofSeconds(60))
          .until(() -> index.get(ControlRows.Look.get()).isEmpty());
    }
  }

  /** Writes. */
  public void write(Put... puts) throws IOException {
    table.put(List.of(puts));
  }

  @Override
  public void close() throws IOException {
    table.close();
    for (TableName t : List.of(name, indexName())) {
      if (cluster.admin().tableExists(t)) {
        if (cluster.admin().isTableEnabled(t)) {
          cluster.admin().disableTable(t);
        }
        cluster.admin().deleteTable(t);
      }
    }
  }
}
