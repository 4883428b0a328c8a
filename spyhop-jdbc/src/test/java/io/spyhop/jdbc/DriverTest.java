package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.common.base.Strings;
import io.spyhop.client.IndexAdmin;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements, plans, refusals and metadata of the driver, on one small table. */
class DriverTest {
  private static final TableName FISH = TableName.valueOf("fish");
  private static final TableName SALES = TableName.valueOf("harbour:sales");
  private static final byte[] D = Bytes.toBytes("d");
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    var util = JdbcCluster.start();
    try (Admin admin = util.getConnection().getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("harbour").build());
    }
    util.createTable(SALES, D).close();
    util.createTable(FISH, D).close();
    JdbcCluster.spyhop()
        .admin()
        .createIndexes(
            FISH,
            List.of(
                index("name", ValueType.STRING, IndexKind.GLOBAL),
                index("weight", ValueType.DOUBLE, IndexKind.LOCAL),
                index("caught", ValueType.DATE, IndexKind.STATS),
                index("landed", ValueType.TIMESTAMP, IndexKind.STATS)));
    JdbcCluster.spyhop().admin().waitUntilActive(FISH, Duration.ofMinutes(1));
    try (Table table = util.getConnection().getTable(FISH)) {
      table.put(fish("a", "cod", 1.5, "2020-01-01", 0).addColumn(D, note(), Bytes.toBytes("old")));
      table.put(fish("b", "eel", 0.5, "2020-01-02", 1_000));
      table.put(fish("c", "ray", 12, "2020-01-03", 2_000));
      table.put(new Put(Bytes.toBytes("d")).addColumn(D, note(), Bytes.toBytes("none")));
    }
    connection = JdbcCluster.connect();
    createNumbers();
  }

  /** Of equal decimals and zeros in several forms, and of numbers that are none. */
  private static void createNumbers() throws Exception {
    TableName name = TableName.valueOf("numbers");
    JdbcCluster.start().createTable(name, D).close();
    JdbcCluster.spyhop()
        .admin()
        .createIndexes(
            name,
            List.of(
                index("m", ValueType.DECIMAL, IndexKind.LOCAL),
                index("x", ValueType.DOUBLE, IndexKind.LOCAL),
                index("l", ValueType.LONG, IndexKind.LOCAL)));
    JdbcCluster.spyhop().admin().waitUntilActive(name, Duration.ofMinutes(1));
    String[] decimals = {"0.1", "0.10", "1E+2", "100", "1E-30", "1E+1000000000"};
    double[] doubles = {0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1, 2};
    try (Table table = JdbcCluster.start().getConnection().getTable(name)) {
      for (int i = 0; i < decimals.length; i++) {
        table.put(
            new Put(Bytes.toBytes("r" + i))
                .addColumn(D, Bytes.toBytes("m"), Bytes.toBytes(new BigDecimal(decimals[i])))
                .addColumn(D, Bytes.toBytes("x"), Bytes.toBytes(doubles[i]))
                .addColumn(D, Bytes.toBytes("l"), Bytes.toBytes(Long.MAX_VALUE)));
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    connection.close();
  }

  private static byte[] note() {
    return Bytes.toBytes("note");
  }

  private static IndexDefinition index(String name, ValueType type, IndexKind kind) {
    return IndexDefinition.builder(name).column("d:" + name).type(type).kind(kind).build();
  }

  private static Put fish(String key, String name, double weight, String caught, long landed) {
    return new Put(Bytes.toBytes(key))
        .addColumn(D, Bytes.toBytes("name"), Bytes.toBytes(name))
        .addColumn(D, Bytes.toBytes("weight"), Bytes.toBytes(weight))
        .addColumn(D, Bytes.toBytes("caught"), Bytes.toBytes(caught))
        .addColumn(D, Bytes.toBytes("landed"), Bytes.toBytes(landed));
  }

  private static List<String> rows(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    }
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        row.add(String.valueOf(rows.getString(i)));
      }
      all.add(String.join(" ", row));
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT name, weight FROM fish WHERE weight < 10 ORDER BY weight | eel 0.5, cod 1.5",
        "SELECT KEY_TEXT(rowkey), name FROM fish WHERE rowkey >= KEY_BYTES('c') | c ray, d null",
        "SELECT name FROM fish WHERE rowkey = X'62' | eel",
        "SELECT \"d:note\", name FROM fish (\"d:note\" VARCHAR) WHERE \"d:note\" > 'a'"
            + " | old cod, none null",
        "SELECT name FROM fish | cod, eel, ray, null",
        "SELECT a.name FROM fish a JOIN fish b ON a.weight < b.weight WHERE b.name = 'ray'"
            + " ORDER BY 1 | cod, eel",
        "SELECT COUNT(*), COUNT(name), MAX(caught), AVG(weight) FROM fish | 4 3 2020-01-03"
            + " 4.666666666666667",
        "SELECT landed FROM fish WHERE landed > TIMESTAMP '1970-01-01 00:00:01'"
            + " | 1970-01-01 00:00:02.000",
        "SELECT name FROM \"default\".fish WHERE name IN ('ray', 'cod', 'x') LIMIT 1 | cod",
        "SELECT COUNT(*) FROM harbour.sales | 0",
      })
  void answers(String sql, String expected) throws SQLException {
    assertThat(String.join(", ", rows(sql))).isEqualTo(expected);
  }

  /** What conditions take for equal joins, groups and sets of the client take for equal, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT COUNT(*) FROM numbers a JOIN numbers b ON a.m = b.m | 10",
        "SELECT COUNT(*) FROM numbers WHERE m IN (SELECT m FROM numbers WHERE rowkey = X'7230') | 2",
        "SELECT COUNT(*) FROM (SELECT m FROM numbers UNION SELECT m FROM numbers) | 4",
        "SELECT COUNT(*) FROM (SELECT m FROM numbers EXCEPT SELECT 0.1 FROM numbers) | 3",
        "SELECT COUNT(DISTINCT m) FROM numbers WHERE l * 1 > 0 | 4",
        "SELECT COUNT(*) FROM (SELECT DISTINCT x, 1 + 1 FROM numbers) | 5",
        "SELECT COUNT(*) FROM (SELECT x FROM numbers GROUP BY x) | 5",
        "SELECT MAX(m) FROM numbers WHERE m < 1000 | 100.000000000000000000",
        "SELECT AVG(l), SUM(l) FROM numbers | 9223372036854775807.000000000000000000"
            + " 55340232221128654842",
        "SELECT KEY_TEXT(rowkey) FROM numbers WHERE x >= 0 ORDER BY x LIMIT 9 | r0, r1, r4, r5, r3, r2",
      })
  void equalValues(String sql, String expected) throws SQLException {
    assertThat(String.join(", ", rows(sql))).isEqualTo(expected);
  }

  /** Calcite's own code compares numbers as decimals, which NaN and infinities are not. */
  @Test
  void theClientSortsNoNan() {
    assertThatThrownBy(() -> rows("SELECT x FROM numbers ORDER BY x"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Infinite or NaN");
  }

  /** Prepared, and run, before the column got another type elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM changing",
        "SELECT v FROM changing WHERE v >= 0",
        "SELECT rowkey FROM changing WHERE v > 5 AND v < 9 LIMIT 3",
        "SELECT w FROM changing WHERE v >= 0",
        "SELECT v FROM changing WHERE w >= 0",
        "SELECT w FROM changing ORDER BY v LIMIT 5",
        "SELECT COUNT(*) FROM changing WHERE v >= 0",
        "SELECT MAX(v) FROM changing",
        "SELECT w, COUNT(v) FROM changing GROUP BY w",
      })
  void anOldStatementIsRefused(String sql) throws Exception {
    TableName name = TableName.valueOf("changing");
    var util = JdbcCluster.start();
    util.createTable(name, D).close();
    IndexAdmin admin = JdbcCluster.spyhop().admin();
    admin.createIndex(name, index("v", ValueType.LONG, IndexKind.STATS));
    admin.createIndex(name, index("w", ValueType.LONG, IndexKind.STATS));
    try (PreparedStatement old = connection.prepareStatement(sql);
        Table table = util.getConnection().getTable(name)) {
      table.put(
          new Put(D)
              .addColumn(D, Bytes.toBytes("v"), Bytes.toBytes(7L))
              .addColumn(D, Bytes.toBytes("w"), Bytes.toBytes(7L)));
      for (boolean undeclaredMeanwhile : List.of(false, true)) {
        assertThat(rows(old.executeQuery())).hasSize(1);
        admin.dropIndex(name, "v");
        if (undeclaredMeanwhile) {
          assertThat(rows("SELECT w FROM changing")).hasSize(1);
          assertThat(rows(old.executeQuery())).hasSize(1);
        }
        admin.createIndex(name, index("v", ValueType.STRING, IndexKind.STATS));
        assertThatThrownBy(() -> rows(old.executeQuery()))
            .isInstanceOf(SQLException.class)
            .hasStackTraceContaining("is declared as STRING, and this statement reads LONG");
        admin.dropIndex(name, "v");
        admin.createIndex(name, index("v", ValueType.LONG, IndexKind.STATS));
        assertThat(rows("SELECT v FROM changing")).hasSize(1);
      }
    } finally {
      util.deleteTable(name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT name FROM fish WHERE weight BETWEEN 1 AND 2 | SpyhopRead(table=[fish],"
            + " condition=[[>=(weight, 1.0E0), <=(weight, 2.0E0)]],"
            + " columns=[[name]])",
        "SELECT name, COUNT(*), SUM(weight) FROM fish WHERE weight > 1 GROUP BY name"
            + " | SpyhopRead(table=[fish], condition=[[>(weight, 1.0E0)]],"
            + " groupBy=[[name]], aggregates=[[count(*),"
            + " sum(CAST(\"d:weight\" AS DOUBLE))]])",
        "SELECT name FROM fish WHERE weight > 1 ORDER BY weight DESC LIMIT 2"
            + " | orderBy=[[weight] DESC], limit=[2]",
        "SELECT * FROM fish ORDER BY rowkey LIMIT 3 | limit=[3])",
        "SELECT name FROM fish WHERE name LIKE 'c%d' | EnumerableCalc",
        "SELECT a.name FROM fish a, fish b WHERE a.weight > b.weight"
            + " | Kept SpyhopRead(table=[fish]",
      })
  void plans(String sql, String expected) throws SQLException {
    assertThat(rows("EXPLAIN PLAN FOR " + sql).get(0).replaceAll("\\s+", " ")).contains(expected);
  }

  /** Of rows without a value the order says nothing, so the client sorts them. */
  @Test
  void rowsWithoutTheValueThatOrdersComeToo() throws SQLException {
    assertThat(rows("SELECT KEY_TEXT(rowkey) FROM fish ORDER BY weight LIMIT 4"))
        .containsExactly("b", "a", "c", "d");
  }

  @Test
  void parameters() throws SQLException {
    String sql = "SELECT name FROM fish WHERE weight > ? AND caught <= ? AND name <> ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setDouble(1, 1);
      statement.setDate(2, Date.valueOf("2020-01-03"));
      statement.setString(3, "x' OR name IS NOT NULL OR name = 'x");
      assertThat(rows(statement.executeQuery())).containsExactly("cod", "ray");
      statement.setString(3, "ray");
      assertThat(rows(statement.executeQuery())).containsExactly("cod");
      statement.setNull(3, Types.VARCHAR);
      assertThat(rows(statement.executeQuery())).isEmpty();
    }
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT name FROM fish WHERE landed = ? AND rowkey = ?")) {
      statement.setTimestamp(1, Timestamp.valueOf("1970-01-01 00:00:01"));
      statement.setBytes(2, Bytes.toBytes("b"));
      assertThat(rows(statement.executeQuery())).containsExactly("eel");
      statement.setString(2, "b");
      assertThatThrownBy(() -> rows(statement.executeQuery()))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("rowkey is compared with bytes, not with a String");
    }
  }

  /** A date is its midnight; a timestamp is no date. */
  @Test
  void datesAndTimestampsAsParameters() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT name FROM fish WHERE landed >= ?")) {
      statement.setDate(1, Date.valueOf("1970-01-01"));
      assertThat(rows(statement.executeQuery())).hasSize(3);
      statement.setDate(1, Date.valueOf("1970-01-02"));
      assertThat(rows(statement.executeQuery())).isEmpty();
      statement.setObject(1, Instant.EPOCH);
      assertThat(rows(statement.executeQuery())).hasSize(3);
      statement.setObject(1, LocalDateTime.of(1970, 1, 2, 0, 0));
      assertThat(rows(statement.executeQuery())).isEmpty();
    }
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT name FROM fish WHERE caught = ?")) {
      statement.setTimestamp(1, Timestamp.valueOf("2020-01-01 00:00:00"));
      assertThatThrownBy(() -> rows(statement.executeQuery()))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("a DATE is compared with a date");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO fish (name) VALUES ('pike')",
        "UPDATE fish SET name = 'pike'",
        "DELETE FROM fish",
        "CREATE TABLE pike (a INT)",
        "DROP TABLE fish"
      })
  void nothingIsWritten(String sql) throws SQLException {
    assertThatThrownBy(
            () -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("this driver reads");
    assertThat(rows("SELECT name FROM fish")).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT a FROM fish | 'a'",
        "SELECT name FROM carp | 'carp'",
        "SELECT n FROM fish (n VARCHAR) | table 'fish' does not declare column 'n'; write it as",
        "SELECT \"q:n\" FROM fish (\"q:n\" VARCHAR) | 'fish' has no column family 'q'",
        "SELECT \"d:n\" FROM fish (\"d:n\" TIME) | cannot be read as TIME",
        "SELECT | line 1",
        "SELECT name FROM fish WHERE rowkey = 'a' | KEY_BYTES",
        "SELECT name FROM fish WHERE name > 'a' AND rowkey > 'a' | KEY_BYTES",
        // constants are computed when Calcite's code for the statement is loaded: an Error
        "SELECT name FROM fish WHERE weight > 'much' | much",
        "SELECT 1 / 0 FROM fish | / by zero",
        "SELECT 1 / (CHAR_LENGTH(name) - CHAR_LENGTH(name)) FROM fish | / by zero",
        "SELECT CAST(name AS INTEGER) FROM fish WHERE name IS NOT NULL | For input string",
        "SELECT name FROM fish LIMIT 3000000000 | Calcite cannot run this statement; write it",
      })
  void mistakes(String sql, String said) {
    assertThatThrownBy(() -> rows(sql)).isInstanceOf(SQLException.class).hasMessageContaining(said);
    assertThatThrownBy(
            () -> {
              try (PreparedStatement statement = connection.prepareStatement(sql)) {
                rows(statement.executeQuery());
              }
            })
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(said);
  }

  @ParameterizedTest
  @CsvSource({
    "zookeeper=, zookeeper is empty",
    "zokeeper=127.0.0.1, unknown setting 'zokeeper'",
    "conf=/nowhere, conf: '/nowhere' cannot be read"
  })
  void mistakesInAddresses(String address, String said) {
    assertThatThrownBy(() -> DriverManager.getConnection(SpyhopDriver.PREFIX + address))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(said);
  }

  /** A total is a row, even of nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM fish, (SELECT COUNT(*) AS n FROM fish WHERE weight > 1000) AS totals"
            + " WHERE weight > 1",
        "SELECT name FROM fish, (SELECT COUNT(*) AS n FROM fish WHERE weight > 5 AND weight < 4)"
            + " AS totals WHERE weight > 1",
        "SELECT name FROM fish WHERE weight > 1 OR name IN"
            + " (SELECT name FROM fish WHERE weight > 5 AND weight < 4)"
      })
  void totalsOfNothing(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(column(statement.executeQuery(sql), "name"))
          .containsExactlyInAnyOrder("cod", "ray");
    }
  }

  /** What DBeaver and SQLLine ask for. */
  @Test
  void metadata() throws SQLException {
    var metadata = connection.getMetaData();
    assertThat(metadata.getDriverName()).isEqualTo("Spyhop JDBC driver");
    assertThat(connection.isReadOnly()).isTrue();
    assertThat(connection.getSchema()).isEqualTo("default");
    assertThat(column(metadata.getSchemas(), "TABLE_SCHEM")).contains("default", "harbour");
    assertThat(column(metadata.getTables(null, "default", "fi%", null), "TABLE_NAME"))
        .containsExactly("fish");
    assertThat(column(metadata.getColumns(null, "default", "fish", "%"), "COLUMN_NAME"))
        .containsExactly("rowkey", "caught", "landed", "name", "weight");
    assertThat(column(metadata.getColumns(null, "default", "fish", "%"), "TYPE_NAME"))
        .containsExactly("VARBINARY NOT NULL", "DATE", "TIMESTAMP(3)", "VARCHAR", "DOUBLE");
    assertThat(column(metadata.getPrimaryKeys(null, "default", "fish"), "COLUMN_NAME")).isEmpty();
    assertThat(column(metadata.getIndexInfo(null, "default", "fish", false, true), "INDEX_NAME"))
        .isEmpty();
    assertThat(column(metadata.getTypeInfo(), "TYPE_NAME")).contains("VARCHAR", "BIGINT");
    assertThat(column(metadata.getCatalogs(), "TABLE_CAT")).hasSizeLessThan(2);
    assertThat(metadata.getIdentifierQuoteString()).isEqualTo("\"");
    assertThat(metadata.getSQLKeywords()).isNotNull();
    assertThat(metadata.supportsTransactions()).isFalse();
  }

  /** Tools ask for whatever JDBC has: nothing is left without an answer. */
  @TestFactory
  Stream<DynamicTest> eachQuestionOfMetadata() throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    return Arrays.stream(DatabaseMetaData.class.getMethods())
        .map(
            question ->
                dynamicTest(
                    question.getName() + Arrays.toString(question.getParameterTypes()),
                    () -> {
                      Object answer = question.invoke(metadata, arguments(question));
                      if (answer instanceof ResultSet rows) {
                        while (rows.next()) {
                          assertThat(rows.getMetaData().getColumnCount()).isPositive();
                        }
                        rows.close();
                      }
                    }));
  }

  /** As DBeaver's: no catalog, a schema, a table, and all that is in it. */
  private static Object[] arguments(Method question) {
    Iterator<String> texts =
        Stream.concat(Stream.of("", "default", "fish"), Stream.generate(() -> "%")).iterator();
    return Arrays.stream(question.getParameterTypes())
        .map(
            type -> {
              if (type == String.class) {
                return Strings.emptyToNull(texts.next());
              }
              if (type == int.class) {
                return ResultSet.TYPE_FORWARD_ONLY;
              }
              return type == boolean.class
                  ? (Object) false
                  : type == Class.class ? DatabaseMetaData.class : null;
            })
        .toArray();
  }

  private static List<String> column(ResultSet rows, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    while (rows.next()) {
      values.add(rows.getString(name));
    }
    rows.close();
    return values;
  }

  @Test
  void aTimeoutEnds() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(60);
      try (ResultSet rows = statement.executeQuery("SELECT name FROM fish WHERE weight > 1")) {
        assertThat(rows(rows)).hasSize(2);
      }
    }
  }

  /** Joins are made when the statement is executed. */
  @Test
  void theTimeOfAJoinEnds() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.executeQuery(longJoin()))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("within 1 s");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatRunsEndsWhenItIsClosed(boolean statementAlone) throws Exception {
    Connection own = JdbcCluster.connect();
    Statement statement = own.createStatement();
    CompletableFuture<ResultSet> rows = new CompletableFuture<>();
    Thread asking =
        new Thread(
            () -> {
              try {
                rows.complete(statement.executeQuery(longJoin()));
              } catch (SQLException e) {
                rows.completeExceptionally(e);
              }
            });
    asking.start();
    Awaitility.await("the join to run").until(() -> statement.getResultSet() != null);
    (statementAlone ? statement : own).close();
    assertThat(rows)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageMatching("(?s).*the statement was (cancelled|closed while it ran)");
    asking.join();
    own.close();
  }

  private static String longJoin() {
    String many = "(SELECT a.name FROM fish a, fish b, fish c, fish d, fish e, fish f, fish g)";
    return "SELECT COUNT(*) FROM " + many + " x, " + many + " y WHERE x.name < y.name";
  }
}
