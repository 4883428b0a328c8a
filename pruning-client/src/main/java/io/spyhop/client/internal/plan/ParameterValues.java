package io.spyhop.client.internal.plan;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.Parameters;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.Parameter;
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
              + "' that needs a value; "
              + (unset.isEmpty() ? "it has none" : "it has " + unset)
              + ": "
              + (predicate == null ? "ALL" : predicate));
    }
    try {
      return Parameters.with(predicate, new One(wanted, value));
    } catch (IllegalArgumentException e) {
      throw new InvalidQueryException("parameter " + wanted + ": " + e.getMessage(), e);
    }
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
      if (!(value instanceof String pattern)) {
        throw new IllegalArgumentException("LIKE takes a text such as 'abc%', not " + value);
      }
      return new LikePattern(pattern, LikePattern.DEFAULT_ESCAPE)
          .prefix(m -> new IllegalArgumentException("'" + pattern + "': " + m));
    }
  }
}
