package io.spyhop.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;

/**
 * Rows of a statement. What fails while they are read is an {@link SQLException}: Avatica lets out
 * what HBase's client and Calcite's functions throw.
 */
final class SpyhopResultSet extends AvaticaResultSet {
  SpyhopResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      ResultSetMetaData columns,
      TimeZone zone,
      Meta.Frame first)
      throws SQLException {
    super(statement, state, signature, columns, zone, first);
  }

  @Override
  protected AvaticaResultSet execute() throws SQLException {
    return sql(super::execute);
  }

  @Override
  public boolean next() throws SQLException {
    return sql(super::next);
  }

  private static <T> T sql(Reading<T> reading) throws SQLException {
    try {
      return reading.read();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw Failures.ofReading(e);
    }
  }

  /** A step of reading. */
  private interface Reading<T> {
    T read() throws SQLException;
  }
}
