package io.spyhop.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;

/**
 * A connection, or a statement of one, as JDBC has them: whatever fails is an {@link SQLException}
 * with its reason, which Calcite has in the exception's cause or throws unchecked. As nothing is
 * written, transactions begin and end without doing anything.
 */
final class Told implements InvocationHandler {
  private final Object calcite;
  private final Connection connection;
  private final RunningStatement running;

  private Told(Object calcite, Connection connection, RunningStatement running) {
    this.calcite = calcite;
    this.connection = connection;
    this.running = running;
  }

  static Connection of(Connection calcite) {
    return proxy(Connection.class, new Told(calcite, null, null));
  }

  private static <T> T proxy(Class<T> type, Told told) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, told));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "commit", "rollback" -> {
        return null;
      }
      case "equals" -> {
        return proxy == arguments[0];
      }
      case "isReadOnly" -> {
        return true;
      }
      case "getConnection" -> {
        return connection;
      }
      case "setObject" -> {
        Optional<Instant> moment = moment(arguments[1]);
        if (moment.isPresent()) {
          ((PreparedStatement) calcite).setLong((int) arguments[0], moment.get().toEpochMilli());
          return null;
        }
      }
      case "close" -> {
        return close(proxy, method, arguments);
      }
      case "cancel" -> {
        running.cancel();
        return null;
      }
      default -> {}
    }
    if (!method.getName().startsWith("execute")) {
      return call(proxy, method, arguments);
    }
    return execute(proxy, method, arguments);
  }

  private Object execute(Object proxy, Method method, Object[] arguments) throws Throwable {
    Statement statement = (Statement) calcite;
    boolean wasOpen = !statement.isClosed();
    running.begins();
    try {
      return call(proxy, method, arguments);
    } catch (SQLException e) {
      // What another thread closes fails in many places, and in as many words.
      throw wasOpen && statement.isClosed() && !Failures.isLate(e) && !Failures.isRefused(e)
          ? new SQLException("the statement was closed while it ran", e)
          : e;
    } finally {
      running.executed();
    }
  }

  /** Ends what they run, and closes them. */
  private static void closeAll(Iterable<AvaticaStatement> statements) throws SQLException {
    SQLException failure = null;
    for (AvaticaStatement statement : statements) {
      try {
        if (!statement.isClosed()) {
          RunningStatement.flag(statement).set(true);
          statement.close();
        }
      } catch (SQLException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Calcite leaves a connection's statements open, and what another thread runs going on. */
  private Object close(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      closeAll(
          calcite instanceof AvaticaConnection connection
              ? List.copyOf(connection.statementMap.values())
              : List.of((AvaticaStatement) calcite));
    } finally {
      call(proxy, method, arguments);
    }
    return null;
  }

  private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      Object answer = method.invoke(calcite, arguments);
      return Statement.class.isAssignableFrom(method.getReturnType())
          ? told((AvaticaStatement) answer, (Connection) proxy)
          : answer;
    } catch (InvocationTargetException e) {
      throw reasoned(e.getCause());
    }
  }

  private static Statement told(AvaticaStatement statement, Connection of) throws SQLException {
    Told told = new Told(statement, of, new RunningStatement(statement));
    return statement instanceof PreparedStatement
        ? proxy(PreparedStatement.class, told)
        : proxy(Statement.class, told);
  }

  /** A TIMESTAMP's, in UTC: JDBC's own class has times of day that the JVM's zone may not have. */
  private static Optional<Instant> moment(Object value) {
    if (value instanceof LocalDateTime time) {
      return Optional.of(time.toInstant(ZoneOffset.UTC));
    }
    if (value instanceof OffsetDateTime time) {
      return Optional.of(time.toInstant());
    }
    return value instanceof Instant moment ? Optional.of(moment) : Optional.empty();
  }

  private static Throwable reasoned(Throwable failure) {
    if (failure instanceof UnsupportedOperationException) {
      SQLException told =
          new SQLFeatureNotSupportedException(
              failure.getMessage() == null ? "the driver only reads" : failure.getMessage());
      told.initCause(failure);
      return told;
    }
    if (!(failure instanceof SQLException) || Failures.isLate(failure)) {
      return Failures.ofReading(failure);
    }
    Throwable cause = failure.getCause();
    boolean hidden =
        cause != null
            && cause.getMessage() != null
            && !failure.getMessage().contains(cause.getMessage());
    return hidden
        ? new SQLException(failure.getMessage() + ": " + cause.getMessage(), cause)
        : failure;
  }
}
