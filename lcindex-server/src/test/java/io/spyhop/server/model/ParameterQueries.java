package io.spyhop.server.model;

import io.spyhop.client.Query;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.Parameter;
import java.util.ArrayList;
import java.util.List;

/** Queries of which one in four is a text with parameters, which get their values afterwards. */
final class ParameterQueries {
  private final List<Object> values = new ArrayList<>();

  private ParameterQueries() {}

  /** The query of a predicate; of equal ones in the same form. */
  static Query where(Predicate predicate) {
    if (predicate.toString().hashCode() % 4 != 0) {
      return Query.where(predicate);
    }
    ParameterQueries parameters = new ParameterQueries();
    Query query = Query.where(parameters.in(predicate).toString());
    for (int i = 0; i < parameters.values.size(); i++) {
      query = query.set(i + 1, parameters.values.get(i));
    }
    return query;
  }

  private Predicate in(Predicate p) {
    if (p instanceof Predicate.And and) {
      return new Predicate.And(and.children().stream().map(this::in).toList());
    }
    if (p instanceof Predicate.Or or) {
      return new Predicate.Or(or.children().stream().map(this::in).toList());
    }
    if (p instanceof Predicate.Not not) {
      return in(not.child()).not();
    }
    if (p instanceof Predicate.Comparison c) {
      return new Predicate.Comparison(c.column(), c.operator(), parameter(c.literal()));
    }
    if (p instanceof Predicate.Between b) {
      return new Predicate.Between(b.column(), parameter(b.low()), parameter(b.high()));
    }
    if (p instanceof Predicate.In in) {
      return new Predicate.In(in.column(), List.of(parameter(in.literals())));
    }
    if (p instanceof Predicate.Prefix x && x.prefix() instanceof String text) {
      return new Predicate.Prefix(
          x.column(), parameter(text.replaceAll("[\\\\%_]", "\\\\$0") + "%"));
    }
    return p;
  }

  private Parameter parameter(Object value) {
    values.add(value);
    return new Parameter(Integer.toString(values.size()));
  }
}
