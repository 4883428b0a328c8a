package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the parameters of predicates, and gives them values. Stateless. */
public final class Parameters {
  private Parameters() {}

  /** The values of parameters; a parameter itself if it keeps that for now. */
  public interface Values {
    /** Where a literal stands; in IN also a collection of them. */
    Object literal(Parameter parameter);

    /** Where the pattern of LIKE stands: the prefix that it asks for. */
    Object prefix(Parameter parameter);
  }

  /** The parameters of a predicate, each once, in the order of its text. */
  public static Set<Parameter> of(Predicate predicate) {
    Set<Parameter> found = new LinkedHashSet<>();
    find(predicate, found);
    return found;
  }

  private static void find(Predicate p, Set<Parameter> found) {
    if (p instanceof Predicate.And and) {
      and.children().forEach(c -> find(c, found));
    } else if (p instanceof Predicate.Or or) {
      or.children().forEach(c -> find(c, found));
    } else if (p instanceof Predicate.Not not) {
      find(not.child(), found);
    } else if (p instanceof Predicate.Comparison c) {
      add(c.literal(), found);
    } else if (p instanceof Predicate.Between b) {
      add(b.low(), found);
      add(b.high(), found);
    } else if (p instanceof Predicate.In in) {
      in.literals().forEach(l -> add(l, found));
    } else if (p instanceof Predicate.Prefix x) {
      add(x.prefix(), found);
    }
  }

  private static void add(Object literal, Set<Parameter> found) {
    if (literal instanceof Parameter parameter) {
      found.add(parameter);
    }
  }

  /**
   * Checks that all parameters have their values.
   *
   * @param table that is asked, to name
   * @throws InvalidPredicateException if one has none
   */
  public static void requireNone(Predicate predicate, String table) {
    Set<Parameter> unset = of(predicate);
    if (!unset.isEmpty()) {
      throw new InvalidPredicateException(
          "table '"
              + table
              + "': parameter "
              + unset.iterator().next()
              + " of "
              + predicate
              + " has no value: give it one (Query.set), or write a literal in its place",
          null);
    }
  }

  /** The predicate with values for its parameters. */
  public static Predicate with(Predicate p, Values values) {
    if (p instanceof Predicate.And and) {
      return new Predicate.And(all(and.children(), values));
    }
    if (p instanceof Predicate.Or or) {
      return new Predicate.Or(all(or.children(), values));
    }
    if (p instanceof Predicate.Not not) {
      return new Predicate.Not(with(not.child(), values));
    }
    if (p instanceof Predicate.Comparison c) {
      return new Predicate.Comparison(c.column(), c.operator(), literal(c.literal(), values));
    }
    if (p instanceof Predicate.Between b) {
      return new Predicate.Between(b.column(), literal(b.low(), values), literal(b.high(), values));
    }
    if (p instanceof Predicate.In in) {
      return new Predicate.In(in.column(), literals(in.literals(), values));
    }
    if (p instanceof Predicate.Prefix x && x.prefix() instanceof Parameter parameter) {
      return new Predicate.Prefix(x.column(), values.prefix(parameter));
    }
    return p;
  }

  private static List<Predicate> all(List<Predicate> some, Values values) {
    return some.stream().map(p -> with(p, values)).toList();
  }

  private static Object literal(Object literal, Values values) {
    return literal instanceof Parameter parameter ? values.literal(parameter) : literal;
  }

  private static List<Object> literals(List<Object> some, Values values) {
    List<Object> all = new ArrayList<>();
    for (Object one : some) {
      Object value = literal(one, values);
      if (value instanceof Collection<?> several) {
        all.addAll(several);
      } else {
        all.add(value);
      }
    }
    return all;
  }
}
