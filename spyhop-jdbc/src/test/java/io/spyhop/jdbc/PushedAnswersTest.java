package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random statements, of which Spyhop answers a part, have the answers that Calcite gives by itself
 * from the same rows.
 */
class PushedAnswersTest {
  private static final TableName NAME = TableName.valueOf("mixed");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] E = Bytes.toBytes("e");
  private static final int ROWS = 240;
  private static final int STATEMENTS = Integer.getInteger("spyhop.statements", 100);

  /** Calcite divides decimals by so many digits. */
  private static final MathContext DIGITS = new MathContext(10);

  private static Connection pushed;
  private static Connection copied;

  @BeforeAll
  static void start() throws Exception {
    HBaseTestingUtility util = JdbcCluster.start();
    byte[][] splits = {Bytes.toBytes("row3"), Bytes.toBytes("row6")};
    util.createTable(NAME, new byte[][] {D, E}, splits).close();
    List<IndexDefinition> indexes = new ArrayList<>();
    indexes.add(index("i", "d:i", ValueType.INT, IndexKind.LOCAL));
    indexes.add(index("l", "d:l", ValueType.LONG, IndexKind.GLOBAL));
    indexes.add(index("f", "d:f", ValueType.FLOAT, IndexKind.LOCAL));
    indexes.add(index("x", "d:x", ValueType.DOUBLE, IndexKind.LOCAL));
    indexes.add(index("amount", "d:amount", ValueType.DECIMAL, IndexKind.LOCAL));
    indexes.add(index("s", "d:s", ValueType.STRING, IndexKind.LOCAL));
    indexes.add(index("es", "e:s", ValueType.STRING, IndexKind.STATS));
    indexes.add(index("b", "d:b", ValueType.BOOLEAN, IndexKind.LOCAL));
    indexes.add(index("t", "d:t", ValueType.TIMESTAMP, IndexKind.LOCAL));
    indexes.add(index("dated", "d:dated", ValueType.DATE, IndexKind.STATS));
    indexes.add(index("raw", "d:raw", ValueType.BYTES, IndexKind.LOCAL));
    JdbcCluster.spyhop().admin().createIndexes(NAME, indexes);
    JdbcCluster.spyhop().admin().waitUntilActive(NAME, Duration.ofMinutes(1));
    write(new Random(42), 0);
    util.flush(NAME);
    write(new Random(43), 7);
    IndexedTable table = JdbcCluster.spyhop().table(NAME);
    SpyhopTable columns = SpyhopTable.of(table, table.declaredTypes());
    pushed = JdbcCluster.connect();
    copied = new CopiedTable(columns, read(columns)).connect("mixed");
  }

  @AfterAll
  static void stop() throws Exception {
    pushed.close();
    copied.close();
  }

  private static IndexDefinition index(String name, String column, ValueType type, IndexKind kind) {
    return IndexDefinition.builder(name).column(column).type(type).kind(kind).build();
  }

  /** Of each row about a third of the columns is absent, and some values do not decode. */
  private static void write(Random r, int each) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int n = 0; n < ROWS; n += each == 0 ? 1 : each) {
      Put put = new Put(Bytes.toBytes(String.format("row%d-%03d", 1 + n % 9, n)));
      put.addColumn(E, Bytes.toBytes("present"), new byte[] {1});
      add(put, r, D, "i", Bytes.toBytes(r.nextInt(12) - 3));
      add(put, r, D, "l", Bytes.toBytes((long) r.nextInt(12) - 3));
      add(put, r, D, "f", Bytes.toBytes((r.nextInt(24) - 6) / 2f));
      add(put, r, D, "f", Bytes.toBytes(0.1f));
      add(put, r, D, "x", Bytes.toBytes((r.nextInt(24) - 6) / 2d));
      add(put, r, D, "amount", Bytes.toBytes(new BigDecimal(r.nextInt(120) - 30).movePointLeft(1)));
      add(put, r, D, "s", Bytes.toBytes(text(r)));
      add(put, r, E, "s", Bytes.toBytes(text(r)));
      add(put, r, D, "b", Bytes.toBytes(r.nextBoolean()));
      add(put, r, D, "t", Bytes.toBytes(1577880000125L + 86_400_000L * r.nextInt(9)));
      add(put, r, D, "dated", Bytes.toBytes("2020-01-0" + (1 + r.nextInt(9))));
      add(put, r, D, "raw", new byte[] {(byte) r.nextInt(12)});
      puts.add(put);
    }
    try (Table table = JdbcCluster.start().getConnection().getTable(NAME)) {
      table.put(puts);
    }
  }

  private static String text(Random r) {
    String[] texts = {"", "a", "ab", "abc", "b", "bcc", "\u00e4\u20ac", "zz", "ab\\", "aXc"};
    return texts[r.nextInt(texts.length)];
  }

  private static void add(Put put, Random r, byte[] family, String qualifier, byte[] value) {
    if (r.nextInt(3) > 0) {
      boolean odd = r.nextInt(12) == 0 && !qualifier.equals("raw");
      put.addColumn(family, Bytes.toBytes(qualifier), odd ? new byte[] {-1, -2, -3} : value);
    }
  }

  private static List<Object[]> read(SpyhopTable columns) throws Exception {
    List<Object[]> rows = new ArrayList<>();
    try (Table table = JdbcCluster.start().getConnection().getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows.add(columns.columns().stream().map(c -> c.read(row)).toArray());
      }
    }
    return rows;
  }

  @Test
  void randomStatements() throws Exception {
    long seed = Long.getLong("spyhop.seed", new Random().nextInt(1_000_000));
    RandomSql random = new RandomSql(new Random(seed));
    int rows = 0;
    int filtered = 0;
    int byRegions = 0;
    for (int n = 0; n < STATEMENTS; n++) {
      RandomSql.Statement statement = random.next();
      String of = "seed " + seed + ", statement " + n + ": " + statement;
      List<String> expected = answer(copied, statement, of);
      List<String> answer = answer(pushed, statement, of);
      if (statement.ordered()) {
        assertThat(answer).as(of).isEqualTo(expected);
      } else {
        assertThat(answer).as(of).containsExactlyInAnyOrderElementsOf(expected);
      }
      rows += answer.size();
      String plan = plan(statement);
      filtered += plan.contains("condition=") ? 1 : 0;
      byRegions += plan.contains("aggregates=") ? 1 : 0;
    }
    assertThat(rows).as("rows, seed " + seed).isGreaterThan(STATEMENTS);
    assertThat(filtered).as("pushed conditions, seed " + seed).isGreaterThan(STATEMENTS / 4);
    assertThat(byRegions).as("pushed aggregates, seed " + seed).isGreaterThan(STATEMENTS / 30);
  }

  private static String plan(RandomSql.Statement statement) throws SQLException {
    try (PreparedStatement explain =
            bound(pushed, "EXPLAIN PLAN FOR " + statement.sql(), statement.parameters());
        ResultSet lines = explain.executeQuery()) {
      lines.next();
      return lines.getString(1);
    }
  }

  private static List<String> answer(
      Connection connection, RandomSql.Statement statement, String of) {
    try (PreparedStatement prepared = bound(connection, statement.sql(), statement.parameters());
        ResultSet rows = prepared.executeQuery()) {
      return rows(rows);
    } catch (SQLException | RuntimeException e) {
      throw new AssertionError(of, e);
    }
  }

  private static PreparedStatement bound(Connection connection, String sql, List<Object> parameters)
      throws SQLException {
    PreparedStatement prepared = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i) == null) {
        prepared.setNull(i + 1, Types.INTEGER);
      } else {
        prepared.setObject(i + 1, parameters.get(i));
      }
    }
    return prepared;
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        Object value = rows.getObject(i);
        row.add(
            value instanceof byte[] bytes
                ? Arrays.toString(bytes)
                : value instanceof BigDecimal number
                    ? number.round(DIGITS).stripTrailingZeros().toPlainString()
                    : String.valueOf(value));
      }
      all.add(String.join("|", row));
    }
    return all;
  }
}
