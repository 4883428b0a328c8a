package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.h2.Driver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import sqlline.SqlLine;

/** SQLLine prints of queries of TPC-H what it prints of H2 with the same rows. */
class TpchTest {
  private static final String H2 = "jdbc:h2:mem:tpch";
  private static final double SCALE =
      Double.parseDouble(System.getProperty("spyhop.tpch", "0.001"));
  private static final List<TpchTable<?>> TABLES =
      List.of(TpchTable.CUSTOMER, TpchTable.ORDERS, TpchTable.LINE_ITEM);

  private static final String Q1 =
      """
      SELECT returnflag, linestatus, SUM(quantity) AS sum_qty, SUM(extendedprice) AS sum_base,
        SUM(extendedprice * (1 - discount)) AS sum_disc,
        SUM(extendedprice * (1 - discount) * (1 + tax)) AS sum_charge,
        AVG(quantity) AS avg_qty, AVG(extendedprice) AS avg_price, AVG(discount) AS avg_disc,
        COUNT(*) AS count_order
      FROM lineitem WHERE shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
      GROUP BY returnflag, linestatus ORDER BY returnflag, linestatus""";
  private static final String Q3 =
      """
      SELECT l.orderkey, SUM(l.extendedprice * (1 - l.discount)) AS revenue, o.orderdate,
        o.shippriority
      FROM customer c, orders o, lineitem l
      WHERE c.mktsegment = 'BUILDING' AND c.custkey = o.custkey AND l.orderkey = o.orderkey
        AND o.orderdate < DATE '1995-03-15' AND l.shipdate > DATE '1995-03-15'
      GROUP BY l.orderkey, o.orderdate, o.shippriority
      ORDER BY revenue DESC, o.orderdate FETCH FIRST 10 ROWS ONLY""";
  private static final String Q6 =
      """
      SELECT SUM(extendedprice * discount) AS revenue FROM lineitem
      WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1994-01-01' + INTERVAL '1' YEAR
        AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24""";
  private static final String Q12 =
      """
      SELECT l.shipmode,
        SUM(CASE WHEN o.orderpriority = '1-URGENT' OR o.orderpriority = '2-HIGH'
          THEN 1 ELSE 0 END) AS high_line_count,
        SUM(CASE WHEN o.orderpriority <> '1-URGENT' AND o.orderpriority <> '2-HIGH'
          THEN 1 ELSE 0 END) AS low_line_count
      FROM orders o, lineitem l
      WHERE o.orderkey = l.orderkey AND l.shipmode IN ('MAIL', 'SHIP')
        AND l.commitdate < l.receiptdate AND l.shipdate < l.commitdate
        AND l.receiptdate >= DATE '1994-01-01'
        AND l.receiptdate < DATE '1994-01-01' + INTERVAL '1' YEAR
      GROUP BY l.shipmode ORDER BY l.shipmode""";

  /** No query of TPC-H: Calcite makes wrong ranges of parts of dates. */
  private static final String PARTS =
      """
      SELECT 'day' AS part, COUNT(*) AS n FROM lineitem
      WHERE EXTRACT(YEAR FROM shipdate) = 1994 AND EXTRACT(DAY FROM shipdate) > 28
      UNION ALL SELECT 'quarter', COUNT(*) FROM lineitem
      WHERE EXTRACT(YEAR FROM shipdate) = 1994 AND EXTRACT(QUARTER FROM shipdate) = 2
      UNION ALL SELECT 'month', COUNT(*) FROM lineitem
      WHERE EXTRACT(YEAR FROM shipdate) = 1994 AND EXTRACT(MONTH FROM shipdate) IN (2, 11)
      UNION ALL SELECT 'year', COUNT(*) FROM lineitem WHERE EXTRACT(YEAR FROM shipdate) > 1994
      ORDER BY part""";

  private static Connection other;

  @BeforeAll
  static void load() throws Exception {
    JdbcCluster.start();
    other = Driver.load().connect(H2, new Properties());
    for (TpchTable<?> table : TABLES) {
      load(table);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    other.close();
  }

  private static <E extends TpchEntity> void load(TpchTable<E> table) throws Exception {
    TableName name = TableName.valueOf(table.getTableName());
    byte[] family = Bytes.toBytes("d");
    JdbcCluster.start().createTable(name, family).close();
    List<IndexDefinition> indexes =
        table.getColumns().stream()
            .map(
                c ->
                    IndexDefinition.builder(c.getSimplifiedColumnName())
                        .column("d:" + c.getSimplifiedColumnName())
                        .type(type(c.getType()))
                        .kind(
                            c.getSimplifiedColumnName().endsWith("date")
                                ? IndexKind.LOCAL
                                : IndexKind.STATS)
                        .build())
            .toList();
    JdbcCluster.spyhop().admin().createIndexes(name, indexes);
    List<Put> puts = new ArrayList<>();
    String columns =
        table.getColumns().stream()
            .map(c -> c.getSimplifiedColumnName() + " " + sql(c.getType()))
            .collect(Collectors.joining(", "));
    String marks = table.getColumns().stream().map(c -> "?").collect(Collectors.joining(", "));
    try (Statement create = other.createStatement()) {
      create.execute("CREATE TABLE " + name + " (" + columns + ")");
    }
    try (PreparedStatement insert =
        other.prepareStatement("INSERT INTO " + name + " VALUES (" + marks + ")")) {
      for (E row : table.createGenerator(SCALE, 1, 1)) {
        Put put = new Put(Bytes.toBytes(String.format("%08d", puts.size())));
        int place = 1;
        for (TpchColumn<E> c : table.getColumns()) {
          Object value = value(c, row);
          insert.setObject(place++, value);
          put.addColumn(family, Bytes.toBytes(c.getSimplifiedColumnName()), stored(value));
        }
        puts.add(put);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    try (Table t = JdbcCluster.start().getConnection().getTable(name)) {
      t.put(puts);
    }
    JdbcCluster.start().flush(name);
    JdbcCluster.spyhop().admin().waitUntilActive(name, Duration.ofMinutes(1));
  }

  private static ValueType type(TpchColumnType type) {
    return switch (type.getBase()) {
      case INTEGER -> ValueType.INT;
      case IDENTIFIER -> ValueType.LONG;
      case DATE -> ValueType.DATE;
      case DOUBLE -> ValueType.DECIMAL;
      case VARCHAR -> ValueType.STRING;
    };
  }

  private static String sql(TpchColumnType type) {
    return switch (type.getBase()) {
      case INTEGER -> "INTEGER";
      case IDENTIFIER -> "BIGINT";
      case DATE -> "DATE";
      case DOUBLE -> "DECIMAL(15, 2)";
      case VARCHAR -> "VARCHAR";
    };
  }

  private static <E extends TpchEntity> Object value(TpchColumn<E> column, E row) {
    return switch (column.getType().getBase()) {
      case INTEGER -> column.getInteger(row);
      case IDENTIFIER -> column.getIdentifier(row);
      case DATE -> LocalDate.ofEpochDay(column.getDate(row));
      case DOUBLE -> BigDecimal.valueOf(column.getDouble(row)).setScale(2, RoundingMode.HALF_UP);
      case VARCHAR -> column.getString(row);
    };
  }

  private static byte[] stored(Object value) {
    if (value instanceof Integer i) {
      return Bytes.toBytes(i);
    }
    if (value instanceof Long l) {
      return Bytes.toBytes(l);
    }
    return value instanceof BigDecimal d ? Bytes.toBytes(d) : Bytes.toBytes(value.toString());
  }

  @ParameterizedTest
  @CsvSource({"Q1, 4", "Q3, 8", "Q6, 1", "Q12, 2", "parts, 4"})
  void answers(String query, int rows) throws IOException {
    String sql =
        switch (query) {
          case "Q1" -> Q1;
          case "Q3" -> Q3;
          case "Q6" -> Q6;
          case "Q12" -> Q12;
          default -> PARTS;
        };
    List<String> lines = transcript(JdbcCluster.url(), SpyhopDriver.class, "NONE", sql);
    assertThat(lines).isEqualTo(transcript(H2, Driver.class, "SERIALIZABLE", sql)).hasSize(rows);
  }

  /** What {@code spyhop sql} prints, which is SQLLine. */
  private static List<String> transcript(String url, Class<?> driver, String isolation, String sql)
      throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    SqlLine line = new SqlLine();
    PrintStream stream = new PrintStream(lines, true, StandardCharsets.UTF_8);
    line.setOutputStream(stream);
    line.setErrorStream(stream);
    String[] options = {
      "-u",
      url,
      "-d",
      driver.getName(),
      "-n",
      "",
      "-p",
      "",
      "--isolation=TRANSACTION_" + isolation,
      "--outputformat=csv",
      "--showHeader=false",
      "--numberFormat=0.######",
      "--silent=true",
      "-e",
      sql
    };
    assertThat(line.begin(options, null, false)).isEqualTo(SqlLine.Status.OK);
    return lines.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** The program of docs/sql.md; it prints what it finds. */
  @Test
  void theExampleOfTheManual(@TempDir Path dir) throws Exception {
    String page = Files.readString(Path.of("..", "docs", "sql.md"));
    Matcher java = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(java.find()).isTrue();
    Path source = Files.writeString(dir.resolve("FindOrders.java"), java.group(1));
    String[] options = {"-d", dir.toString(), "-proc:none", source.toString()};
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options)).isZero();
    String address = JdbcCluster.url().substring(SpyhopDriver.PREFIX.length());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
      loader
          .loadClass("FindOrders")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {address});
    }
  }
}
