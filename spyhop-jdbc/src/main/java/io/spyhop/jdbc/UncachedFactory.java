package io.spyhop.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalciteJdbc41Factory;
import org.apache.calcite.jdbc.CalciteSchema;

/**
 * Makes what Calcite's own factory makes, but for metadata, result sets and connections: their
 * schemas are not cached. Such a cache is filled anew by each statement, with all tables of a
 * namespace.
 */
public final class UncachedFactory extends CalciteFactory {
  private static final int MAJOR = 4;
  private static final int MINOR = 1;

  private static final Pattern EXPLAIN =
      Pattern.compile("\\s*EXPLAIN\\b", Pattern.CASE_INSENSITIVE);

  private final CalciteFactory calcite = new CalciteJdbc41Factory();

  /** As the driver makes it, by its name. */
  public UncachedFactory() {
    super(MAJOR, MINOR);
  }

  @Override
  public AvaticaConnection newConnection(
      UnregisteredDriver driver,
      AvaticaFactory factory,
      String url,
      Properties info,
      CalciteSchema root,
      JavaTypeFactory types) {
    CalciteSchema schema = root == null ? CalciteSchema.createRootSchema(true, false) : root;
    return calcite.newConnection(driver, factory, url, info, schema, types);
  }

  @Override
  public AvaticaStatement newStatement(
      AvaticaConnection connection,
      Meta.StatementHandle handle,
      int type,
      int concurrency,
      int holdability)
      throws SQLException {
    return calcite.newStatement(connection, handle, type, concurrency, holdability);
  }

  @Override
  public AvaticaPreparedStatement newPreparedStatement(
      AvaticaConnection connection,
      Meta.StatementHandle handle,
      Meta.Signature signature,
      int type,
      int concurrency,
      int holdability)
      throws SQLException {
    return calcite.newPreparedStatement(
        connection, handle, signature, type, concurrency, holdability);
  }

  @Override
  public AvaticaResultSet newResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      TimeZone zone,
      Meta.Frame first)
      throws SQLException {
    if (statement != null && !(statement instanceof PreparedStatement)) {
      requireNoParameters(signature);
    }
    return new SpyhopResultSet(
        statement, state, signature, newResultSetMetaData(statement, signature), zone, first);
  }

  /** Calcite takes a parameter without a value for NULL; a plan needs none. */
  private static void requireNoParameters(Meta.Signature signature) throws SQLException {
    boolean explains = signature.sql != null && EXPLAIN.matcher(signature.sql).lookingAt();
    if (!explains && signature.parameters != null && !signature.parameters.isEmpty()) {
      throw new SQLException(
          "the statement has a parameter (?) without a value: prepare it, and set its parameters");
    }
  }

  @Override
  public AvaticaSpecificDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
    return new SpyhopMetaData(connection);
  }

  @Override
  public ResultSetMetaData newResultSetMetaData(
      AvaticaStatement statement, Meta.Signature signature) throws SQLException {
    return calcite.newResultSetMetaData(statement, signature);
  }
}
