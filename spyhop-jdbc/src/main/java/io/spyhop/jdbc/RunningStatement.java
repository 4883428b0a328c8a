package io.spyhop.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * Ends what a statement runs when it is cancelled. Calcite has a flag for that, which it never
 * takes back: each execution has it anew here. Thread-safe.
 */
final class RunningStatement {
  private final AvaticaStatement statement;
  private final AtomicBoolean ended;
  private boolean executing;

  RunningStatement(AvaticaStatement statement) throws SQLException {
    this.statement = statement;
    this.ended = flag(statement);
  }

  /** Calcite's flag: what the statement runs ends soon after it is set. */
  static AtomicBoolean flag(AvaticaStatement statement) throws SQLException {
    try {
      return statement.getConnection().getCancelFlag(statement.handle);
    } catch (NoSuchStatementException e) {
      throw new SQLException("the statement is closed", e);
    }
  }

  /**
   * An execution begins, and ends the reading of rows of the one before, whose time may be over.
   */
  synchronized void begins() throws SQLException {
    ResultSet rows = statement.getResultSet();
    if (rows != null) {
      rows.close();
    }
    ended.set(false);
    executing = true;
  }

  /** It has rows, or has failed. */
  synchronized void executed() {
    executing = false;
  }

  /** Ends the execution, and the reading of its rows; where there is none, nothing. */
  synchronized void cancel() throws SQLException {
    if (executing || hasRows()) {
      ended.set(true);
    }
  }

  private boolean hasRows() throws SQLException {
    ResultSet rows = statement.getResultSet();
    return rows != null && !rows.isClosed();
  }
}
