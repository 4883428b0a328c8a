package io.spyhop.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * Ends what a statement runs when it is cancelled, or its time is over. Calcite has a flag for that,
 * which it never takes back: each execution has it anew here. Thread-safe.
 */
final class RunningStatement {
  private final AvaticaStatement statement;
  private final AtomicBoolean ended;
  private boolean executing;
  private CompletableFuture<Void> time = new CompletableFuture<>();

  RunningStatement(AvaticaStatement statement) throws SQLException {
    this.statement = statement;
    this.ended = flag(statement);
  }

  private static AtomicBoolean flag(AvaticaStatement statement) throws SQLException {
    try {
      return statement.getConnection().getCancelFlag(statement.handle);
    } catch (NoSuchStatementException e) {
      throw new SQLException("the statement is closed", e);
    }
  }

  /** Whether an execution was ended, and its time was over by then. */
  static boolean isLate(AvaticaStatement statement, long nanos) throws SQLException {
    if (statement.isClosed()) {
      return false;
    }
    int seconds = statement.getQueryTimeout();
    return seconds > 0 && nanos >= TimeUnit.SECONDS.toNanos(seconds) && flag(statement).get();
  }

  /** An execution begins. */
  synchronized void begins() throws SQLException {
    time.complete(null);
    ended.set(false);
    executing = true;
    int seconds = statement.getQueryTimeout();
    if (seconds > 0) {
      CompletableFuture<Void> mine = new CompletableFuture<>();
      time = mine;
      CompletableFuture<Void> unused =
          mine.orTimeout(seconds, TimeUnit.SECONDS)
              .whenComplete(
                  (done, late) -> {
                    if (late != null) {
                      end(mine);
                    }
                  });
    }
  }

  /** It has rows, or has failed. */
  synchronized void executed() {
    executing = false;
  }

  private synchronized void end(CompletableFuture<Void> late) {
    if (time == late) {
      ended.set(true);
    }
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
