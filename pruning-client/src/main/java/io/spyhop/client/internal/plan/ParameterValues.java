package io.spyhop.client.internal.plan;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.Parameters;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.Parameter;
import java.util.Collection;
import java.util.Date;
import java.util.Objects;
import java.util.Set;

/** Gives parameters of conditions their values. Stateless. */
public final class ParameterValues {
  private ParameterValues() {}

  /**
   * A condition with a value in all places of a parameter.
   *
   * @param predicate null for every row
   * @throws InvalidQueryException if it has no such parameter, or the value can be none
   */
  public static Predicate set(Predicate predicate, String name, Object value) {
    Set<Parameter> unset = predicate == null ? Set.of() : Parameters.of(predicate);
    Parameter wanted = unset.stream().filter(p -> p.name().equals(name)).findFirst().orElse(null);
    if (wanted == null) {
      throw new InvalidQueryException(
          "the condition has no parameter '"
              + name
              + "' without a value (one is given once); "
              + (unset.isEmpty() ? "it has none" : "it has " + unset)
              + ": "
              + (predicate == null ? "ALL" : predicate));
    }
    try {
      return Parameters.with(predicate, new One(wanted, copied(value)));
    } catch (IllegalArgumentException e) {
      throw new InvalidQueryException("parameter " + wanted + ": " + e.getMessage(), e);
    }
  }

  /** Of what callers may change later. */
  private static Object copied(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    if (value instanceof Date date) {
      return date.clone();
    }
    if (value instanceof Collection<?> several) {
      if (several.stream().anyMatch(Objects::isNull)) {
        throw new IllegalArgumentException("null is among its values, and equals nothing");
      }
      return several.stream().map(ParameterValues::copied).toList();
    }
    return value instanceof CharSequence text ? text.toString() : value;
  }

  private record One(Parameter wanted, Object value) implements Parameters.Values {
    @Override
    public Object literal(Parameter parameter) {
      return parameter.equals(wanted) ? value : parameter;
    }

    @Override
    public Object prefix(Parameter parameter) {
      if (!parameter.equals(wanted)) {
        return parameter;
      }
      if (value == null) {
        throw new IllegalArgumentException("LIKE takes a text such as 'abc%', not null");
      }
      if (!(value instanceof String pattern)) {
        throw new IllegalArgumentException(
            "LIKE takes a text such as 'abc%', no " + value.getClass().getSimpleName());
      }
      return new LikePattern(pattern, LikePattern.DEFAULT_ESCAPE)
          .prefix(m -> new IllegalArgumentException("'" + pattern + "': " + m));
    }
  }
}
