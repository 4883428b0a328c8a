package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements that Calcite answers wrongly are refused; others are answered, in one way or two. */
class SubqueriesTest {
  private static final TableName NAME = TableName.valueOf("pairs");
  private static final byte[] D = Bytes.toBytes("d");
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    JdbcCluster.start().createTable(NAME, D).close();
    JdbcCluster.spyhop()
        .admin()
        .createIndexes(
            NAME,
            List.of(
                index("id", ValueType.INT),
                index("i", ValueType.INT),
                index("s", ValueType.STRING),
                index("n", ValueType.DECIMAL)));
    JdbcCluster.spyhop().admin().waitUntilActive(NAME, Duration.ofMinutes(1));
    try (Table table = JdbcCluster.start().getConnection().getTable(NAME)) {
      table.put(add(add(row(1, "a"), "i", Bytes.toBytes(1)), "n", decimal("1.5")));
      table.put(add(add(row(2, "a"), "i", Bytes.toBytes(2)), "n", decimal("-1.5")));
      table.put(add(row(3, "b"), "i", Bytes.toBytes(2)));
      table.put(row(4, "b"));
    }
    connection = JdbcCluster.connect();
  }

  @AfterAll
  static void stop() throws SQLException {
    connection.close();
  }

  private static IndexDefinition index(String name, ValueType type) {
    return IndexDefinition.builder(name)
        .column("d:" + name)
        .type(type)
        .kind(IndexKind.LOCAL)
        .build();
  }

  private static Put row(int id, String s) {
    Put put = new Put(Bytes.toBytes("r" + id));
    return add(add(put, "id", Bytes.toBytes(id)), "s", Bytes.toBytes(s));
  }

  private static Put add(Put put, String column, byte[] value) {
    return put.addColumn(D, Bytes.toBytes(column), value);
  }

  private static byte[] decimal(String number) {
    return Bytes.toBytes(new BigDecimal(number));
  }

  private static List<String> column(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return values(rows);
    }
  }

  private static List<String> values(ResultSet rows) throws SQLException {
    List<String> values = new ArrayList<>();
    while (rows.next()) {
      values.add(rows.getString(1));
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM pairs WHERE i = ALL (SELECT MAX(i) FROM pairs) | = ALL and <> ANY",
        "SELECT id FROM pairs WHERE s <> ANY (SELECT MAX(s) FROM pairs) | = ALL and <> ANY",
        "SELECT i <> SOME (SELECT i FROM pairs WHERE id = 3) FROM pairs | = ALL and <> ANY",
        "SELECT id FROM pairs WHERE (i, id) NOT IN (SELECT q.i, q.id FROM pairs q)"
            + " | NOT IN of several columns",
        "SELECT p.id FROM pairs p RIGHT JOIN (SELECT i FROM pairs) q ON p.i > q.i"
            + " | RIGHT JOIN needs an equality",
        "SELECT p.id FROM pairs p FULL JOIN (SELECT i FROM pairs) q ON p.i > 7"
            + " | FULL JOIN needs an equality",
      })
  void refused(String sql, String message) {
    assertThatThrownBy(() -> column(sql))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "SELECT id FROM pairs p WHERE i IN (SELECT MAX(q.i) FROM pairs q WHERE q.s = p.s) | 2 3",
        "SELECT id FROM pairs WHERE i NOT IN (SELECT MAX(q.i) FROM pairs q) | 1",
        "SELECT id FROM pairs WHERE i >= ALL (SELECT MAX(q.i) FROM pairs q) | 2 3",
        "SELECT id FROM pairs WHERE (i, id) IN (SELECT q.i, q.id FROM pairs q WHERE id = 1) | 1",
        "SELECT p.id FROM pairs p RIGHT JOIN (SELECT i FROM pairs) q ON p.i = q.i + 1"
            + " | 2 3 null null null",
        "SELECT p.id FROM (VALUES (7), (7)) q(i) LEFT JOIN pairs p ON p.i > q.i | null null",
        "SELECT id FROM pairs WHERE EXISTS (SELECT 1 FROM pairs WHERE i > 1000) | none",
        "SELECT id FROM pairs p WHERE NOT EXISTS"
            + " (SELECT 1 FROM pairs q WHERE q.s = p.s AND q.id < p.id) | 1 3",
        "SELECT id FROM pairs p WHERE (SELECT COUNT(*) FROM pairs WHERE i > 1000) = 0"
            + " AND i < (SELECT COUNT(*) FROM pairs q WHERE q.s = p.s) | 1",
        "(SELECT i FROM pairs) UNION (SELECT i FROM pairs WHERE id > 0)"
            + " ORDER BY 1 DESC NULLS LAST FETCH FIRST 2 ROWS ONLY | 1 2",
        "SELECT id FROM pairs p WHERE i NOT IN (SELECT MAX(q.i) FROM pairs q WHERE q.s"
            + " = p.s) | 1",
        "SELECT id FROM pairs p WHERE i <= ALL (SELECT MIN(q.i) FROM pairs q WHERE q.s"
            + " = p.s) | 1 3",
        "SELECT id FROM pairs p WHERE i NOT IN (SELECT -1 FROM pairs q WHERE q.s ="
            + " p.s) | 1 2 3",
        "SELECT i IN (SELECT 2 FROM pairs q WHERE q.s < p.s) FROM pairs p | false"
            + " false null true",
        "SELECT id FROM pairs p WHERE NOT EXISTS (SELECT 1 FROM pairs WHERE i > 1000)"
            + " AND i < (SELECT COUNT(*) FROM pairs q WHERE q.s = p.s) | 1",
        "SELECT id FROM pairs p WHERE 1 IN (SELECT 1 FROM pairs WHERE i > 1000) OR i <"
            + " (SELECT COUNT(*) FROM pairs q WHERE q.s = p.s) | 1",
        "SELECT id, (SELECT COUNT(*) FROM pairs q WHERE q.s = p.s) FROM pairs p CROSS"
            + " JOIN (SELECT k, COUNT(*) AS c FROM (SELECT 1 AS k FROM pairs WHERE i > 1000)"
            + " AS y GROUP BY k) AS x | none",
        "SELECT p.a + (SELECT MAX(q.id) FROM pairs q WHERE q.i = p.a) FROM (SELECT i"
            + " AS a FROM pairs) p | 2 5 5 null",
        "SELECT p.a + (SELECT MAX(q.id) FROM pairs q WHERE q.i = p.a) FROM (SELECT s,"
            + " SUM(id) AS c, i AS a FROM pairs GROUP BY s, i) p | 2 5 5 null",
        "WITH p AS (SELECT s, i FROM pairs) SELECT CASE WHEN EXISTS (SELECT 1 FROM"
            + " pairs q WHERE q.i = p.i) THEN p.i ELSE 9 END FROM p | 1 2 2 9",
        "SELECT p.id FROM pairs p LEFT JOIN pairs x ON x.i = p.i WHERE EXISTS (SELECT"
            + " 1 FROM pairs q WHERE p.i IS NULL OR p.i = q.i AND q.id < 3) | 1 2 2 3 3 4",
        "SELECT (SELECT COUNT(*) FROM pairs q WHERE p.i IS NULL OR p.i = q.i) FROM"
            + " pairs p LEFT JOIN pairs x ON x.i = p.i | 1 2 2 2 2 4",
        "SELECT c FROM pairs p LEFT JOIN pairs x ON x.i = p.i, LATERAL (SELECT"
            + " COUNT(*) AS c FROM pairs q WHERE p.i = q.i) t | 0 1 2 2 2 2",
        "SELECT p.id FROM pairs p, LATERAL (SELECT q.id FROM pairs q WHERE q.i < p.i)" + " t | 2 3",
        "SELECT COUNT(*) FROM pairs a, (SELECT i FROM pairs WHERE i > 1000) b RIGHT"
            + " JOIN pairs c ON b.i = c.i | 16",
        "SELECT a.id FROM (VALUES (1), (2)) a(id), pairs b FULL JOIN (VALUES (2), (3))"
            + " c(i) ON b.i = c.i | 1 1 1 1 1 2 2 2 2 2",
        "SELECT COUNT(*) FROM pairs WHERE 1 = 0 GROUP BY ROLLUP(i) | 0",
        "SELECT COUNT(*) FROM pairs WHERE i > 3 AND i < 2 GROUP BY CUBE(i, s) | 0",
        "SELECT i FROM (SELECT i FROM pairs LIMIT 0) t GROUP BY GROUPING SETS ((i),"
            + " ()) | null",
        "SELECT id FROM pairs p WHERE i > (SELECT AVG(q.i) FROM pairs q WHERE q.s =" + " p.s) | 2",
        "SELECT id FROM pairs p WHERE i IN (SELECT q.id FROM pairs q WHERE q.s = p.s)" + " | 1 2",
        "SELECT COUNT(*) FROM pairs a, pairs b LEFT JOIN pairs x ON b.i = x.id"
            + " RIGHT JOIN (SELECT i FROM pairs) c ON x.id = c.i + 2 | 16",
        "SELECT p.id FROM pairs p LEFT JOIN (SELECT id AS i FROM pairs WHERE id > 1) AS x"
            + " ON p.i = x.i LEFT JOIN pairs y ON x.i = y.id | 1 2 3 4",
        "(SELECT i FROM pairs EXCEPT ALL SELECT i FROM pairs WHERE id = 2)"
            + " EXCEPT SELECT 9 FROM pairs | 1 2 null",
        "SELECT id FROM pairs WHERE id >= COALESCE(i, 5) | 1 2 3",
        "SELECT id FROM pairs WHERE id >= CASE WHEN i IS NOT NULL THEN i ELSE 5 END | 1 2 3",
        "SELECT id > COALESCE(i, 5) FROM pairs | false false true false",
        "SELECT COUNT(*) FROM pairs WHERE i > 1000 GROUP BY ROLLUP(s) | 0",
        "SELECT SUM(i) FROM pairs WHERE i > 1000 GROUP BY GROUPING SETS ((s), (i), ()) | null",
        "SELECT CASE WHEN s = 'a' THEN COUNT(*) ELSE 10 * COUNT(*) + GROUPING(s) END FROM pairs"
            + " GROUP BY ROLLUP(s) | 2 20 41",
        "SELECT COUNT(*) + 10 * GROUPING(s, i) FROM pairs GROUP BY CUBE(s, i)"
            + " | 1 1 1 1 12 12 21 22 21 34",
        "SELECT CASE WHEN id = 9 THEN FLOOR(n) ELSE n END FROM pairs WHERE n < 7 | -1.5 1.5",
        "SELECT FLOOR(n) FROM pairs WHERE n > 7 UNION ALL SELECT n FROM pairs WHERE n < 7"
            + " | -1.5 1.5",
      })
  void answered(String sql, String values) throws SQLException {
    List<String> answer =
        column(sql).stream().map(v -> ("" + v).replaceFirst("(\\.\\d*?)0+$", "$1")).toList();
    assertThat(answer)
        .containsExactlyInAnyOrder(values == null ? new String[0] : values.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM pairs p WHERE EXISTS (SELECT 1 FROM pairs q WHERE q.i = p.id AND q.id > 1)"
            + " | false",
        "SELECT id FROM pairs p WHERE i > (SELECT AVG(q.i) FROM pairs q WHERE q.s = p.s) | false",
        "SELECT id FROM pairs p WHERE i IN (SELECT q.id FROM pairs q WHERE q.s = p.s) | false",
        "SELECT id FROM pairs p WHERE i IN (SELECT q.id FROM pairs q) | false",
        "SELECT id FROM pairs p WHERE EXISTS (SELECT 1 FROM pairs q WHERE q.i < p.id) | true",
        "SELECT id FROM pairs p WHERE i NOT IN (SELECT q.id FROM pairs q WHERE q.s = p.s) | true",
        "SELECT p.id FROM pairs p LEFT JOIN pairs x ON x.i = p.i"
            + " WHERE EXISTS (SELECT 1 FROM pairs q WHERE q.i = p.id) | true",
      })
  void joinsWhereTheyAreRight(String sql, boolean loop) throws SQLException {
    assertThat(column("EXPLAIN PLAN FOR " + sql).get(0).contains("EnumerableCorrelate"))
        .isEqualTo(loop);
  }

  /** Each of the four rows asks for the four. */
  @Test
  void loopsReadOnce() throws Exception {
    String sql = "SELECT id FROM pairs p WHERE EXISTS (SELECT 1 FROM pairs q WHERE q.i < p.id)";
    HRegion region = JdbcCluster.start().getHBaseCluster().getRegions(NAME).get(0);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int run = 0; run < 2; run++) {
        long before = region.getReadRequestsCount();
        assertThat(values(statement.executeQuery())).hasSize(3);
        assertThat(region.getReadRequestsCount() - before).isBetween(8L, 15L);
      }
    }
  }
}
