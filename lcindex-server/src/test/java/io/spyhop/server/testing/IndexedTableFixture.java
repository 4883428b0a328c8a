package io.spyhop.server.testing;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.hook.SpyhopRegion;
import io.spyhop.server.index.local.RegionIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one region with family {@code f} and indexes {@code price} (DOUBLE), {@code name}
 * (STRING) and {@code amount} (DECIMAL), each on the column of its name.
 */
public final class IndexedTableFixture implements AutoCloseable {
  /** The family. */
  public static final byte[] F = Bytes.toBytes("f");

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final TestCluster cluster;
  private final TableName name;
  private final Table table;
  private final SchemaResolver resolver;

  /** Creates the table in the shared cluster. */
  public IndexedTableFixture(UnaryOperator<ColumnFamilyDescriptorBuilder> family)
      throws IOException {
    this(TestCluster.get(), family);
  }

  /** Creates the table. */
  public IndexedTableFixture(
      TestCluster cluster, UnaryOperator<ColumnFamilyDescriptorBuilder> family) throws IOException {
    this(cluster, family, t -> t);
  }

  /** Creates the table, with changes to its descriptor. */
  public IndexedTableFixture(
      TestCluster cluster,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> changes)
      throws IOException {
    this(cluster, create(cluster, Layouts.usual(), of(family, changes), new byte[0][]));
  }

  /** Creates the table with indexes whose records say how many match, and have the rows. */
  public static IndexedTableFixture clustering() throws IOException {
    return clustering(family -> family, table -> table);
  }

  /** The same, with changes to the table's descriptor. */
  public static IndexedTableFixture clustering(
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> changes)
      throws IOException {
    TestCluster cluster = TestCluster.get();
    TableName name = create(cluster, Layout.CLUSTERING, of(family, changes), new byte[0][]);
    return new IndexedTableFixture(cluster, name);
  }

  /** Creates the table with indexes of a layout. */
  public IndexedTableFixture(
      TestCluster cluster, Layout layout, UnaryOperator<ColumnFamilyDescriptorBuilder> family)
      throws IOException {
    this(cluster, create(cluster, layout, of(family, t -> t), new byte[0][]));
  }

  private static UnaryOperator<TableDescriptorBuilder> of(
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> changes) {
    return d ->
        changes.apply(
            d.setColumnFamily(family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build()));
  }

  private IndexedTableFixture(TestCluster cluster, TableName name) throws IOException {
    this.cluster = cluster;
    this.name = name;
    this.table = cluster.connection().getTable(name);
    IndexSchema schema = IndexSchema.of(cluster.admin().getDescriptor(name));
    this.resolver = new SchemaResolver(name.getNameAsString(), schema, List.of("f"));
  }

  private static TableName create(
      TestCluster cluster,
      Layout layout,
      UnaryOperator<TableDescriptorBuilder> options,
      byte[][] splits)
      throws IOException {
    TableName name = TableName.valueOf("fixture" + TABLES.incrementAndGet());
    TableDescriptor d = options.apply(TableDescriptorBuilder.newBuilder(name)).build();
    d = IndexSchema.withIndex(d, index("price", ValueType.DOUBLE, layout));
    d = IndexSchema.withIndex(d, index("name", ValueType.STRING, layout));
    d = IndexSchema.withIndex(d, index("amount", ValueType.DECIMAL, layout));
    cluster.admin().createTable(d, splits);
    return name;
  }

  /** Creates the table with several regions and options, which must add the family {@link #F}. */
  public static IndexedTableFixture with(
      TestCluster cluster, UnaryOperator<TableDescriptorBuilder> options, String... splits)
      throws IOException {
    byte[][] keys = Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new);
    return new IndexedTableFixture(cluster, create(cluster, Layouts.usual(), options, keys));
  }

  /** A table that is there already and has the same indexes; closing deletes it. */
  public static IndexedTableFixture existing(TestCluster cluster, TableName name)
      throws IOException {
    return new IndexedTableFixture(cluster, name);
  }

  /** With a family as HBase makes it by default. */
  public IndexedTableFixture() throws IOException {
    this(b -> b);
  }

  private static IndexDefinition index(String column, ValueType type, Layout layout) {
    return IndexDefinition.builder(column).column("f:" + column).type(type).layout(layout).build();
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /** The table. */
  public Table table() {
    return table;
  }

  /** Writes a price. */
  public void price(String row, double price) throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, q("price"), Bytes.toBytes(price)));
  }

  /** Writes a price at a time. */
  public void price(String row, double price, long timestamp) throws IOException {
    table.put(
        new Put(Bytes.toBytes(row)).addColumn(F, q("price"), timestamp, Bytes.toBytes(price)));
  }

  /** Writes bytes into a column. */
  public void put(String row, String column, byte[] value) throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, q(column), value));
  }

  /** A qualifier. */
  public static byte[] q(String column) {
    return Bytes.toBytes(column);
  }

  /** Flushes and waits for the index files. */
  public void flushAndIndex() throws IOException {
    Regions.flush(cluster, name);
    Regions.awaitCovered(cluster, name);
  }

  /** The region. */
  public HRegion region() {
    return cluster.regions(name).get(0);
  }

  /** What the region has indexed. */
  public RegionIndexes indexes() {
    return indexes(region());
  }

  /** What one of several regions has indexed. */
  public RegionIndexes indexes(HRegion region) {
    return region
        .getCoprocessorHost()
        .findCoprocessor(SpyhopRegion.class)
        .maintainer()
        .orElseThrow()
        .indexes();
  }

  /** A predicate bound to the table. */
  public BoundPredicate bind(Predicate predicate) {
    return Binder.bind(predicate, resolver);
  }

  /** The rows of an answer along a path, as {@code row}. */
  public List<String> rows(Predicate predicate, String path) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String cell : cells(predicate, path)) {
      String row = cell.substring(0, cell.indexOf('/'));
      if (!rows.contains(row)) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** All cells of an answer along a path. */
  public List<String> cells(Predicate predicate, String path) throws IOException {
    Scan scan = new Scan().setFilter(new PredicateFilter(bind(predicate)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result r : scanner) {
        for (Cell c : r.rawCells()) {
          cells.add(
              Bytes.toStringBinary(CellUtil.cloneRow(c))
                  + "/"
                  + c
                  + "="
                  + Bytes.toStringBinary(CellUtil.cloneValue(c)));
        }
      }
    }
    return cells;
  }

  /**
   * The answer, which must be the same along every path.
   *
   * @return its rows
   */
  public List<String> agreed(Predicate predicate) throws IOException {
    long defects = cluster.defects();
    List<String> plain = cells(predicate, Attributes.PATH_SCAN);
    for (String path : List.of("index", "price", "name", "amount", "auto")) {
      List<String> answer = cells(predicate, path);
      if (!answer.equals(plain)) {
        throw new AssertionError(
            bind(predicate) + " along '" + path + "' gives " + answer + ", the scan " + plain);
      }
    }
    if (cluster.defects() > defects) {
      throw new AssertionError(bind(predicate) + " met a defect and went on as a scan");
    }
    return rows(predicate, Attributes.PATH_SCAN);
  }

  @Override
  public void close() throws IOException {
    table.close();
    if (cluster.admin().isTableEnabled(name)) {
      cluster.admin().disableTable(name);
    }
    cluster.admin().deleteTable(name);
  }
}
