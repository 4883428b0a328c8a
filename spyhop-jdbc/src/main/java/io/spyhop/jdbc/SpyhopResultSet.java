package io.spyhop.jdbc;

import java.math.BigDecimal;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;

/**
 * Rows of a statement, as JDBC has them. What fails while they are read is an {@link SQLException},
 * and so is a number that does not fit; Avatica lets out what HBase's client and Calcite's
 * functions throw, and cuts numbers.
 */
final class SpyhopResultSet extends AvaticaResultSet {
  private final CompletableFuture<Void> time = new CompletableFuture<>();
  private boolean over;
  private boolean late;
  private long rowsLeft;

  SpyhopResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      ResultSetMetaData columns,
      TimeZone zone,
      Meta.Frame first)
      throws SQLException {
    super(statement, state, signature, columns, zone, first);
    long most = statement == null ? 0 : statement.getLargeMaxRows();
    this.rowsLeft = most > 0 ? most : Long.MAX_VALUE;
    if (statement != null && statement.getQueryTimeout() > 0) {
      AtomicBoolean ended = RunningStatement.flag(statement);
      CompletableFuture<Void> unused =
          time.orTimeout(statement.getQueryTimeout(), TimeUnit.SECONDS)
              .whenComplete((closed, timeout) -> end(timeout != null, ended));
    }
  }

  /** Not every statement reads a table, which would look at the clock. */
  private synchronized void end(boolean isLate, AtomicBoolean ended) {
    if (isLate && !over) {
      late = true;
      ended.set(true);
    }
  }

  private synchronized boolean isOver() {
    return over;
  }

  private synchronized boolean isLate() {
    return late;
  }

  @Override
  public void close() {
    synchronized (this) {
      over = true;
    }
    time.complete(null);
    super.close();
  }

  @Override
  protected AvaticaResultSet execute() throws SQLException {
    AvaticaResultSet executed = sql(super::execute);
    if (isOver()) {
      super.close();
      throw new SQLException("the statement was closed");
    }
    return executed;
  }

  @Override
  public boolean next() throws SQLException {
    return rowsLeft-- > 0 && sql(super::next);
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return (byte) within(column, Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  @Override
  public byte getByte(String column) throws SQLException {
    return getByte(findColumn(column));
  }

  @Override
  public short getShort(int column) throws SQLException {
    return (short) within(column, Short.MIN_VALUE, Short.MAX_VALUE);
  }

  @Override
  public short getShort(String column) throws SQLException {
    return getShort(findColumn(column));
  }

  @Override
  public int getInt(int column) throws SQLException {
    return (int) within(column, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public int getInt(String column) throws SQLException {
    return getInt(findColumn(column));
  }

  @Override
  public long getLong(int column) throws SQLException {
    return within(column, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Override
  public long getLong(String column) throws SQLException {
    return getLong(findColumn(column));
  }

  private long within(int column, long least, long greatest) throws SQLException {
    long value = super.getLong(column);
    if (value < least || value > greatest || !isWhole(column)) {
      throw new SQLException(
          "column "
              + getMetaData().getColumnLabel(column)
              + ": "
              + getString(column)
              + " is not within "
              + least
              + " and "
              + greatest);
    }
    return value;
  }

  /** Whether the value's whole part is a long: others were cut to one. */
  private boolean isWhole(int column) throws SQLException {
    return switch (type(column)) {
      case Types.DECIMAL -> {
        BigDecimal exact = super.getBigDecimal(column);
        yield exact == null || exact.toBigInteger().bitLength() < Long.SIZE;
      }
      case Types.DOUBLE, Types.FLOAT, Types.REAL -> {
        double value = super.getDouble(column);
        yield value >= -0x1p63 && value < 0x1p63;
      }
      default -> true;
    };
  }

  private int type(int column) throws SQLException {
    return getMetaData().getColumnType(column);
  }

  /** Also by the classes of java.time; a TIMESTAMP is in UTC. */
  @Override
  public <T> T getObject(int column, Class<T> type) throws SQLException {
    boolean date = type == LocalDate.class && type(column) == Types.DATE;
    if (date || type(column) == Types.TIMESTAMP) {
      long value = super.getLong(column);
      if (wasNull()) {
        return null;
      }
      if (date) {
        return type.cast(LocalDate.ofEpochDay(value));
      }
      Instant moment = Instant.ofEpochMilli(value);
      if (type == Instant.class) {
        return type.cast(moment);
      }
      if (type == LocalDateTime.class) {
        return type.cast(LocalDateTime.ofInstant(moment, ZoneOffset.UTC));
      }
      if (type == OffsetDateTime.class) {
        return type.cast(moment.atOffset(ZoneOffset.UTC));
      }
    }
    return super.getObject(column, type);
  }

  @Override
  public <T> T getObject(String column, Class<T> type) throws SQLException {
    return getObject(findColumn(column), type);
  }

  private <T> T sql(Reading<T> reading) throws SQLException {
    try {
      return reading.read();
    } catch (SQLException e) {
      throw isLate() ? late(e) : e;
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      throw isLate() ? late(e) : Failures.ofReading(e);
    }
  }

  private SQLException late(Throwable failure) throws SQLException {
    return new SQLTimeoutException(
        "it was not answered within " + statement.getQueryTimeout() + " s", failure);
  }

  /** A step of reading. */
  private interface Reading<T> {
    T read() throws SQLException;
  }
}
