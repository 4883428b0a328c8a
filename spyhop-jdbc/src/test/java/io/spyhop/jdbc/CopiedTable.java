package io.spyhop.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;

/** A table's rows in memory, of which Calcite answers everything by itself. */
final class CopiedTable extends AbstractTable implements ScannableTable {
  private final SpyhopTable table;
  private final List<Object[]> rows;

  CopiedTable(SpyhopTable table, List<Object[]> rows) {
    this.table = table;
    this.rows = rows;
  }

  /** A connection with that table alone. */
  Connection connect(String name) throws SQLException {
    Properties settings = Settings.of("", new Properties()).ofCalcite();
    Connection connection =
        new Driver().withPrepareFactory(SpyhopPrepare::new).connect("jdbc:calcite:", settings);
    var root = connection.unwrap(CalciteConnection.class).getRootSchema();
    root.add(name, this);
    root.add("KEY_BYTES", ScalarFunctionImpl.create(KeyFunctions.class, "bytes"));
    return connection;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory types) {
    return table.getRowType(types);
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(rows);
  }
}
