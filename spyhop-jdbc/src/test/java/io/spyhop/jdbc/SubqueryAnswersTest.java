package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

/**
 * Random statements with subqueries have the answers of another database. They are planned as the
 * driver's; rows are in memory.
 */
class SubqueryAnswersTest {
  private static final int STATEMENTS = Integer.getInteger("spyhop.statements", 150);

  /** Rows in memory. */
  private static final class Rows extends AbstractTable implements ScannableTable {
    private final List<Object[]> rows = new ArrayList<>();

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
      RelDataTypeFactory.Builder row = types.builder();
      row.add("i", SqlTypeName.INTEGER).nullable(true);
      row.add("l", SqlTypeName.BIGINT).nullable(true);
      return row.add("s", SqlTypeName.VARCHAR).nullable(true).build();
    }

    @Override
    public Enumerable<Object[]> scan(DataContext context) {
      return Linq4j.asEnumerable(rows);
    }
  }

  private static Connection calcite() throws SQLException {
    return new Driver()
        .withPrepareFactory(SpyhopPrepare::new)
        .connect("jdbc:calcite:", Settings.of("", new Properties()).ofCalcite());
  }

  /** Small numbers, many of them equal, and many NULLs. */
  private static void fill(Connection ours, Connection other, Random random) throws SQLException {
    int rows = 24;
    for (String name : List.of("ta", "tb", "tc")) {
      Rows table = new Rows();
      ours.unwrap(CalciteConnection.class).getRootSchema().add(name, table);
      try (Statement create = other.createStatement()) {
        create.execute("CREATE TABLE " + name + " (i INTEGER, l BIGINT, s VARCHAR)");
      }
      try (PreparedStatement insert =
          other.prepareStatement("INSERT INTO " + name + " VALUES (?, ?, ?)")) {
        for (int n = 0; n < rows; n++) {
          Object[] row = {
            random.nextInt(4) == 0 ? null : random.nextInt(6) - 1,
            random.nextInt(4) == 0 ? null : random.nextInt(6) - 1L,
            random.nextInt(4) == 0 ? null : "s" + random.nextInt(3)
          };
          table.rows.add(row);
          for (int c = 0; c < row.length; c++) {
            insert.setObject(c + 1, row[c]);
          }
          insert.execute();
        }
      }
      rows -= 12;
    }
  }

  private static List<Long> answer(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<Long> numbers = new ArrayList<>();
      while (rows.next()) {
        long number = rows.getLong(1);
        numbers.add(rows.wasNull() ? null : number);
      }
      Collections.sort(numbers, Comparator.nullsFirst(Comparator.naturalOrder()));
      return numbers;
    }
  }

  @Test
  void randomStatements() throws SQLException {
    long seed = Long.getLong("spyhop.seed", new Random().nextInt(1_000_000));
    Random random = new Random(seed);
    RandomSubqueries statements = new RandomSubqueries(random);
    int rows = 0;
    List<String> refused = new ArrayList<>();
    try (Connection ours = calcite();
        Connection other = DriverManager.getConnection("jdbc:h2:mem:subqueries" + seed)) {
      fill(ours, other, random);
      for (int n = 0; n < STATEMENTS; n++) {
        String sql = statements.next();
        List<Long> expected = answer(other, sql);
        try {
          assertThat(answer(ours, sql)).as("seed " + seed + ": " + sql).isEqualTo(expected);
        } catch (SQLException e) {
          assertThat((Throwable) e)
              .as(sql)
              .hasMessageContaining("Calcite cannot run this statement");
          refused.add(sql);
        }
        rows += expected.size();
      }
    }
    assertThat(rows).as("rows, seed " + seed).isGreaterThan(STATEMENTS);
    assertThat(refused).as("seed " + seed).hasSizeLessThan(STATEMENTS / 20);
  }
}
