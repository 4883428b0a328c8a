package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.Table;
import org.junit.jupiter.api.Test;

/** Calls of HBase that a statement makes before it is run. */
class SpyhopSchemaTest {
  private final List<String> calls = new ArrayList<>();

  private final SpyhopSchema.Tables tables =
      new SpyhopSchema.Tables() {
        @Override
        public Set<String> names() {
          calls.add("names");
          return Set.of("a", "b");
        }

        @Override
        public Table open(String name) {
          calls.add(name);
          return names(name) ? new CopiedTable(columns(), List.<Object[]>of()) : null;
        }

        private boolean names(String name) {
          return name.equals("a") || name.equals("b");
        }
      };

  private static SpyhopTable columns() {
    return SpyhopTable.of(
        null,
        Map.of(
            ColumnName.parse("d:x"), ValueType.LONG,
            ColumnName.parse("e:x"), ValueType.LONG,
            ColumnName.parse("e:d:x"), ValueType.INT));
  }

  /** As the driver makes it, but for the tables. */
  private static final class Unconnected extends Driver {
    @Override
    protected String getFactoryClassName(JdbcVersion version) {
      return new SpyhopDriver().getFactoryClassName(version);
    }

    @Override
    public CalcitePrepare createPrepare() {
      return new SpyhopDriver().createPrepare();
    }
  }

  private Connection connect() throws SQLException {
    Properties settings = Settings.of("", new Properties()).ofCalcite();
    Connection connection = new Unconnected().connect("jdbc:calcite:", settings);
    var root = connection.unwrap(CalciteConnection.class).getRootSchema();
    root.add("default", SpyhopSchema.of(tables));
    connection.setSchema("default");
    return connection;
  }

  @Test
  void aStatementOpensEachTableOnceAndListsNone() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT * FROM a JOIN b ON a.rowkey = b.rowkey WHERE a.\"d:x\" > 1")) {
      assertThat(calls).containsExactlyInAnyOrder("a", "b");
      statement.executeQuery().close();
      statement.executeQuery().close();
      assertThat(calls).hasSize(2);
    }
  }

  @Test
  void theNextStatementOpensThemAnew() throws SQLException {
    try (Connection connection = connect()) {
      connection.prepareStatement("SELECT * FROM a").close();
      connection.prepareStatement("SELECT * FROM a").close();
      assertThat(calls).containsExactly("a", "a");
    }
  }

  @Test
  void aTableThatIsNotThere() throws SQLException {
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> connection.prepareStatement("SELECT * FROM c"))
          .hasStackTraceContaining("Object 'c' not found");
    }
  }

  /** A qualifier may look like another column's whole name. */
  @Test
  void eachColumnHasANameOfItsOwn() throws SQLException {
    try (Connection connection = connect();
        ResultSet columns = connection.getMetaData().getColumns(null, "default", "a", "%")) {
      List<String> names = new ArrayList<>();
      while (columns.next()) {
        names.add(columns.getString("COLUMN_NAME"));
      }
      assertThat(names).containsExactly("rowkey", "d:x", "e:d:x", "e:x");
    }
  }
}
