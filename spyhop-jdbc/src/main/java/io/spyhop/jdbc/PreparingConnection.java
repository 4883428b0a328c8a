package io.spyhop.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection whose failures say why: where a statement cannot be prepared, Calcite has the reason
 * in the exception's cause alone.
 */
final class PreparingConnection implements InvocationHandler {
  private final Connection calcite;

  private PreparingConnection(Connection calcite) {
    this.calcite = calcite;
  }

  static Connection of(Connection calcite) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new PreparingConnection(calcite));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(calcite, arguments);
    } catch (InvocationTargetException e) {
      throw method.getName().startsWith("prepare") ? reasoned(e.getCause()) : e.getCause();
    }
  }

  private static Throwable reasoned(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean hidden = failure instanceof SQLException && cause != null && cause.getMessage() != null;
    return hidden
        ? new SQLException(failure.getMessage() + ": " + cause.getMessage(), cause)
        : failure;
  }
}
