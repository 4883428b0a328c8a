package io.spyhop.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Scans with HBase's own value filters, which compare bytes: through the indexes of whatever type
 * they give what the plain scan gives.
 */
class ExistingProgramsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final TableName NAME = TableName.valueOf("existing");
  private static final List<ValueType> TYPES =
      List.of(
          ValueType.BYTES,
          ValueType.STRING,
          ValueType.INT,
          ValueType.LONG,
          ValueType.TIMESTAMP,
          ValueType.DOUBLE,
          ValueType.TEXT_LONG);

  private static Table table;

  /** Values of each type, some negative, and at the end two that do not decode, where there are. */
  private static Map<ValueType, List<byte[]>> values() {
    Map<ValueType, List<byte[]>> m = new TreeMap<>();
    List<byte[]> text = new ArrayList<>();
    for (String s : List.of("", "a", "ab", "b", "\u00e9", "\uffee")) {
      text.add(s.getBytes(StandardCharsets.UTF_8));
    }
    text.add(new byte[] {'a', (byte) 0xff});
    text.add(new byte[] {(byte) 0xc3});
    m.put(ValueType.BYTES, text);
    m.put(ValueType.STRING, text);
    List<byte[]> ints = new ArrayList<>();
    for (int i : new int[] {Integer.MIN_VALUE, -7, -1, 0, 1, 7, 256, Integer.MAX_VALUE}) {
      ints.add(Bytes.toBytes(i));
    }
    ints.add(new byte[] {0, 0, 1});
    ints.add(new byte[] {-1, -1, -1, -7, 0});
    m.put(ValueType.INT, ints);
    List<byte[]> longs = new ArrayList<>();
    for (long i : new long[] {Long.MIN_VALUE, -7, -1, 0, 1, 7, 256, Long.MAX_VALUE}) {
      longs.add(Bytes.toBytes(i));
    }
    longs.add(new byte[] {0});
    longs.add(Bytes.toBytes(-1));
    m.put(ValueType.LONG, longs);
    m.put(ValueType.TIMESTAMP, longs);
    List<byte[]> doubles = new ArrayList<>();
    for (double d : new double[] {-7.5, -0.0, 0.0, 1, 7.5, Double.NaN}) {
      doubles.add(Bytes.toBytes(d));
    }
    doubles.add(new byte[] {1});
    m.put(ValueType.DOUBLE, doubles);
    List<byte[]> numbers = new ArrayList<>();
    for (String s : List.of("-12", "7", "007", "12", "x", "")) {
      numbers.add(Bytes.toBytes(s));
    }
    m.put(ValueType.TEXT_LONG, numbers);
    return m;
  }

  private static byte[] column(ValueType type) {
    return Bytes.toBytes(type.name().toLowerCase(Locale.ROOT));
  }

  @BeforeAll
  static void create() throws IOException {
    TableDescriptor d =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(2).build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
            .build();
    for (ValueType type : TYPES) {
      String column = Bytes.toString(column(type));
      d =
          IndexSchema.withIndex(
              d, IndexDefinition.builder(column).column("f:" + column).type(type).build());
    }
    TestCluster.get().admin().createTable(d);
    table = TestCluster.get().connection().getTable(NAME);
    fill();
  }

  /** Files without and with values that do not decode, updates and deletes across them. */
  private static void fill() throws IOException {
    put(0, 0, 60);
    flush();
    put(1, 40, 80);
    delete(5, 50);
    flush();
    put(2, 70, 90);
    delete(10, 75);
  }

  private static void put(int round, int from, int to) throws IOException {
    Map<ValueType, List<byte[]>> values = values();
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Put put = new Put(row(i)).addColumn(G, F, Bytes.toBytes(i));
      for (ValueType type : TYPES) {
        List<byte[]> of = values.get(type);
        int n = round == 0 ? of.size() - 2 : of.size();
        if (i % 7 != type.ordinal() % 7) {
          put.addColumn(F, column(type), of.get((i * (round + 1) + type.ordinal()) % n));
        }
      }
      puts.add(put);
    }
    table.put(puts);
  }

  private static void delete(int... rows) throws IOException {
    for (int i : rows) {
      table.delete(new Delete(row(i)));
      table.delete(new Delete(row(i + 1)).addColumn(F, column(ValueType.INT)));
      table.delete(new Delete(row(i + 2)).addColumns(F, column(ValueType.STRING)));
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%03d", i));
  }

  private static void flush() throws IOException {
    Regions.flush(TestCluster.get(), NAME);
    Regions.awaitCovered(TestCluster.get(), NAME);
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
    TestCluster.get().admin().disableTable(NAME);
    TestCluster.get().admin().deleteTable(NAME);
  }

  private static SingleColumnValueFilter filter(ValueType type, CompareOperator op, byte[] value) {
    SingleColumnValueFilter f = new SingleColumnValueFilter(F, column(type), op, value);
    f.setFilterIfMissing(true);
    return f;
  }

  private static List<String> answer(Scan scan, String path) throws IOException {
    Scan hinted = new Scan(scan);
    hinted.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(hinted)) {
      for (Result r = scanner.next(); r != null; r = scanner.next()) {
        StringBuilder cells = new StringBuilder();
        for (org.apache.hadoop.hbase.Cell c : r.rawCells()) {
          cells.append(c).append('=').append(Bytes.toStringBinary(r.value())).append(' ');
        }
        rows.add(cells.toString());
      }
    }
    return rows;
  }

  /** Compares the paths, for the whole row and for one family, and says how many rows there are. */
  private static int compare(Filter filter, String index, boolean used) throws IOException {
    int rows = 0;
    for (Scan scan : List.of(new Scan(), new Scan().addFamily(F), new Scan().readVersions(2))) {
      scan.setFilter(filter);
      long before = TestCluster.get().indexedQueries();
      List<String> plain = answer(scan, Attributes.PATH_SCAN);
      assertThat(answer(scan, index)).as("%s along %s", filter, index).isEqualTo(plain);
      assertThat(TestCluster.get().indexedQueries() > before)
          .as("%s was answered through an index", filter)
          .isEqualTo(used);
      rows += plain.size();
    }
    return rows;
  }

  private static boolean drives(ValueType type, CompareOperator op, byte[] literal) {
    return switch (type) {
      case DOUBLE, TEXT_LONG ->
          op == CompareOperator.EQUAL && type.codec().isDecodable(literal, 0, literal.length);
      default -> op != CompareOperator.NOT_EQUAL;
    };
  }

  @Test
  void everyOperatorOnEveryType() throws IOException {
    long defects = TestCluster.get().defects();
    for (ValueType type : TYPES) {
      int rows = 0;
      for (byte[] literal : values().get(type)) {
        for (CompareOperator op : CompareOperator.values()) {
          if (op != CompareOperator.NO_OP) {
            String index = Bytes.toString(column(type));
            rows += compare(filter(type, op, literal), index, drives(type, op, literal));
          }
        }
      }
      assertThat(rows).as("rows found by %s", type).isPositive();
    }
    assertThat(TestCluster.get().defects()).isEqualTo(defects);
  }

  @Test
  void rangeOnOneColumn() throws IOException {
    for (int low : new int[] {-8, -7, 0, 3}) {
      for (int high : new int[] {-1, 0, 7, 300}) {
        FilterList range =
            new FilterList(
                filter(ValueType.INT, CompareOperator.GREATER_OR_EQUAL, Bytes.toBytes(low)),
                new FilterList(filter(ValueType.INT, CompareOperator.LESS, Bytes.toBytes(high))));
        compare(range, "int", true);
      }
    }
  }

  @Test
  void conditionsOnSeveralColumns() throws IOException {
    FilterList several =
        new FilterList(
            filter(ValueType.INT, CompareOperator.GREATER, Bytes.toBytes(0)),
            filter(ValueType.STRING, CompareOperator.NOT_EQUAL, Bytes.toBytes("a")),
            filter(ValueType.DOUBLE, CompareOperator.LESS, Bytes.toBytes(-0.0)));
    assertThat(compare(several, "int", true)).isPositive();
    assertThat(compare(several, "index", true)).isPositive();
    compare(several, "string", false);
  }

  @Test
  void otherFamiliesAreLoadedOnDemand() throws IOException {
    Scan scan = new Scan().setLoadColumnFamiliesOnDemand(true);
    scan.setFilter((Filter) filter(ValueType.INT, CompareOperator.EQUAL, Bytes.toBytes(7)));
    assertThat(answer(scan, "int"))
        .isEqualTo(answer(scan, Attributes.PATH_SCAN))
        .isNotEmpty()
        .allMatch(row -> row.contains("/g:f/"));
  }
}
