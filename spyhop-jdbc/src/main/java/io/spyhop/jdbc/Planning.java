package io.spyhop.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.rel.RelNode;

/** The planning of one statement: whether Calcite makes joins of its subqueries. */
final class Planning {
  private boolean joins = true;

  /**
   * Decides, as soon as the statement is known.
   *
   * @throws RefusedException if it is one that Calcite answers wrongly
   */
  void look(RelNode statement) {
    WrongCalls.refuse(statement);
    Subqueries subqueries = Subqueries.of(statement);
    subqueries.requireRight();
    joins = !subqueries.areLoops();
  }

  /** The same context, but for that. */
  CalcitePrepare.Context of(CalcitePrepare.Context context) {
    CalciteConnectionConfig config =
        instead(CalciteConnectionConfig.class, context.config(), "forceDecorrelate", () -> joins);
    return instead(CalcitePrepare.Context.class, context, "config", () -> config);
  }

  private static <T> T instead(Class<T> type, T real, String method, Supplier<Object> answer) {
    InvocationHandler handler =
        (proxy, called, arguments) -> {
          if (called.getName().equals(method)) {
            return answer.get();
          }
          try {
            return called.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
