package io.spyhop.server.access;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
import org.apache.hadoop.hbase.security.access.AccessControlConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose row keys and values are found wherever they get to: no one is part of another, nor
 * of any text. Family {@code f} has an index of each kind and a column without; {@code g} has one
 * column, for statistics. Each row's {@code f:glob} has an older version.
 */
final class SecretTable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] LOC = Bytes.toBytes("loc");
  static final byte[] GLOB = Bytes.toBytes("glob");
  static final byte[] STAT = Bytes.toBytes("stat");
  static final byte[] MORE = Bytes.toBytes("more");
  static final byte[] OTHER = Bytes.toBytes("other");

  /** When the older versions were written, and the newer ones. */
  static final long BEFORE = 100;

  static final long NOW = 200;

  /** Rows, of which every third may have rights of its own. */
  static final int ROWS = 240;

  private static final List<IndexDefinition> DEFINITIONS =
      List.of(
          index("glob", IndexKind.GLOBAL, "f:glob"),
          index("loc", IndexKind.LOCAL, "f:loc"),
          index("stat", IndexKind.STATS, "f:stat"),
          index("other", IndexKind.STATS, "g:other"));

  /** Gives a put labels or rights. */
  @FunctionalInterface
  interface Marking {
    Put mark(Put put);
  }

  private final TestCluster cluster;
  private final TableName name;

  private SecretTable(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  private static IndexDefinition index(String name, IndexKind kind, String column) {
    return IndexDefinition.builder(name).kind(kind).column(column).type(ValueType.STRING).build();
  }

  /** Creates the table without rows. */
  static SecretTable create(TestCluster cluster, String name, boolean cellGrants)
      throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptor d =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
            .setValue(AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT, Boolean.toString(!cellGrants))
            .build();
    cluster.admin().createTable(IndexTable.descriptor(d, DEFINITIONS.get(0)));
    for (IndexDefinition index : DEFINITIONS) {
      d = IndexSchema.withIndex(d, index);
    }
    cluster.admin().createTable(d);
    return new SecretTable(cluster, table);
  }

  /** Writes the rows, every third marked, and waits until all is indexed. */
  void fill(Marking third) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Marking marking = i % 3 == 0 ? third : p -> p;
      String number = String.format("%03dq", i);
      puts.add(marking.mark(older(row(i), number)));
      puts.add(marking.mark(whole(row(i), number)));
    }
    write(puts);
    flush();
  }

  /** A row's key; they begin with a and b by turns. */
  static String row(int i) {
    return String.format("%srow%03dq", i % 2 == 0 ? "a" : "b", i);
  }

  private static Put older(String row, String number) {
    return new Put(Bytes.toBytes(row)).addColumn(F, GLOB, BEFORE, value("was", number));
  }

  private static Put whole(String row, String number) {
    return new Put(Bytes.toBytes(row))
        .addColumn(F, LOC, NOW, value("loc", number))
        .addColumn(F, GLOB, NOW, value("glob", number))
        .addColumn(F, STAT, NOW, value("stat", number))
        .addColumn(F, MORE, NOW, value("more", number))
        .addColumn(G, OTHER, NOW, value("other", number));
  }

  private static byte[] value(String column, String number) {
    return Bytes.toBytes(column + "-" + number);
  }

  /**
   * Writes rows that have values in every range that is asked for, and one that only they are in;
   * some are in a file, some in memory.
   *
   * @param start of the row keys
   */
  void hide(String start, Marking marking) throws IOException {
    for (String tail : List.of("x", "y")) {
      String number = "10" + tail + "q";
      Put last = new Put(Bytes.toBytes(start + "row11" + tail + "q"));
      write(
          List.of(
              marking.mark(older(start + "row10" + tail + "q", number)),
              marking.mark(whole(start + "row10" + tail + "q", number)),
              marking.mark(last.addColumn(F, STAT, NOW, value("zzz", number)))));
      if (tail.equals("x")) {
        flush();
      }
    }
  }

  /** Writes cells of the other family: in a row that has more, and in rows of their own. */
  void hideInOtherFamily() throws IOException {
    for (String tail : List.of("x", "y")) {
      List<Put> puts = new ArrayList<>();
      for (String row : List.of(row(100), "arow10" + tail + "q")) {
        Put put = new Put(Bytes.toBytes(row));
        puts.add(put.addColumn(G, OTHER, NOW + 1, value("other", row.substring(1) + tail)));
      }
      write(puts);
      if (tail.equals("x")) {
        flush();
      }
    }
  }

  private void write(List<Put> puts) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
  }

  private void flush() throws IOException {
    Regions.flush(cluster, name);
    Regions.awaitCovered(cluster, name);
  }

  TableName name() {
    return name;
  }

  TableName indexName() {
    return IndexTable.nameOf(name, "glob");
  }

  /** The global index. */
  IndexDefinition glob() {
    return DEFINITIONS.get(0);
  }

  /** How many indexes are declared. */
  static int declared() {
    return DEFINITIONS.size();
  }

  /** The entry of a value of the global index. */
  Entry entry(String row, String value, long timestamp) {
    byte[] stored = Bytes.toBytes(value);
    byte[] key = glob().type().codec().key(stored, 0, stored.length).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp);
  }

  /** The rows of the index table, as a superuser sees them. */
  Set<String> entries() throws IOException {
    Set<String> entries = new TreeSet<>();
    try (Table index = cluster.connection().getTable(indexName());
        ResultScanner rows = index.getScanner(new Scan().addFamily(IndexTable.ENTRIES))) {
      rows.forEach(r -> entries.add(Bytes.toStringBinary(r.getRow())));
    }
    return entries;
  }

  /** All row keys and values that a scan gives, of all versions. */
  static Set<String> strings(Table table, byte[] family) throws IOException {
    Set<String> strings = new TreeSet<>();
    try (ResultScanner rows = table.getScanner(new Scan().addFamily(family).readAllVersions())) {
      for (Result r : rows) {
        for (Cell c : r.rawCells()) {
          strings.add(Bytes.toString(CellUtil.cloneRow(c)));
          strings.add(Bytes.toString(CellUtil.cloneValue(c)));
        }
      }
    }
    return strings;
  }
}
