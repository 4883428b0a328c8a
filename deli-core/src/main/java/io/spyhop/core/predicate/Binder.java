package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Binds a predicate: resolves columns, turns literals into operands and pushes NOT down to the
 * leaves (NOT a = 1 becomes a != 1, De Morgan above). One binder binds one predicate.
 */
public final class Binder {
  private final SchemaResolver resolver;
  private final List<BoundColumn> columns = new ArrayList<>();
  private final List<Leaf> leaves = new ArrayList<>();
  private int nodes;

  private Binder(SchemaResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Binds a predicate.
   *
   * @throws UnknownColumnException if a column cannot be resolved
   * @throws InvalidPredicateException if a literal or an operator does not fit its column's type,
   *     or a parameter has no value
   */
  public static BoundPredicate bind(Predicate predicate, SchemaResolver resolver) {
    Parameters.requireNone(predicate, resolver.table());
    Binder binder = new Binder(resolver);
    Node root = binder.node(predicate, false);
    return new BoundPredicate(binder.columns, binder.leaves, root);
  }

  /**
   * Rows that satisfy a predicate and have a value in a column.
   *
   * @param predicate true of no row whose value in the column is absent or does not decode
   * @param column whose value they have
   */
  public record Valued(BoundPredicate predicate, BoundColumn column) {}

  /**
   * Binds a predicate, and that a column has a value that decodes: it equals some literal, or does
   * not.
   *
   * @param predicate null for every row
   * @param column if it has no type, and none is declared, it has that which the predicate says
   * @throws UnknownColumnException if a column cannot be resolved
   * @throws InvalidPredicateException if a literal or an operator does not fit its column's type
   */
  public static Valued bindValued(Predicate predicate, ColumnRef column, SchemaResolver resolver) {
    Binder binder = new Binder(resolver);
    List<Node> all = new ArrayList<>();
    if (predicate != null) {
      Parameters.requireNone(predicate, resolver.table());
      all.add(binder.node(predicate, false));
    }
    int valued = binder.valued(column);
    all.add(binder.hasValue(valued));
    Node root = all.size() == 1 ? all.get(0) : new Node.All(all.toArray(new Node[0]));
    return new Valued(
        new BoundPredicate(binder.columns, binder.leaves, root), binder.columns.get(valued));
  }

  private int valued(ColumnRef ref) {
    try {
      return column(ref);
    } catch (UnknownColumnException e) {
      List<BoundColumn> named =
          columns.stream()
              .filter(
                  c ->
                      c.name().toString().equals(ref.text())
                          || c.name().qualifierText().equals(ref.text()))
              .toList();
      if (named.size() != 1) {
        throw e;
      }
      return columns.indexOf(named.get(0));
    }
  }

  /** True of every value that decodes: it equals some literal, or does not. */
  private Node hasValue(int column) {
    return new Node.Any(equalsSomeAndNot(column));
  }

  /** True of no row. */
  private Node hasNone(int column) {
    return new Node.All(equalsSomeAndNot(column));
  }

  private Node[] equalsSomeAndNot(int column) {
    Operand some = codec(column).some();
    return new Node[] {
      single(new Leaf.Range(column, codec(column), some, true, some, true, false)),
      single(new Leaf.Range(column, codec(column), some, true, some, true, true))
    };
  }

  private Node node(Predicate p, boolean negate) {
    if (p instanceof Predicate.Not not) {
      return node(not.child(), !negate);
    }
    if (++nodes > Predicate.MAX_NODES) {
      throw new InvalidPredicateException(
          "the condition has more than "
              + Predicate.MAX_NODES
              + " parts: each comparison, BETWEEN, IN, LIKE and IS NULL is one, and so is each AND and"
              + " OR; an IN counts once, however many values it lists: write a = 1 OR a = 2 OR .. as"
              + " a IN (1, 2, ..), or ask in several queries",
          null);
    }
    if (p instanceof Predicate.And and) {
      return group(and.children(), negate, !negate);
    }
    if (p instanceof Predicate.Or or) {
      return group(or.children(), negate, negate);
    }
    return condition(p, negate);
  }

  private Node single(Leaf leaf) {
    leaves.add(leaf);
    return new Node.Single(leaves.size() - 1);
  }

  private Node condition(Predicate p, boolean negate) {
    if (p instanceof Predicate.Comparison c) {
      int i = column(c.column());
      int side = codec(i).beyond(c.literal());
      return side == 0 ? single(comparison(c, negate)) : beyond(i, c.operator(), side, negate);
    }
    if (p instanceof Predicate.Between b && isBeyond(b.column(), List.of(b.low(), b.high()))) {
      Predicate low = new Predicate.Comparison(b.column(), Operator.GE, b.low());
      Predicate high = new Predicate.Comparison(b.column(), Operator.LE, b.high());
      return group(List.of(low, high), negate, !negate);
    }
    if (p instanceof Predicate.In in && isBeyond(in.column(), in.literals())) {
      int i = column(in.column());
      List<Object> within = in.literals().stream().filter(l -> codec(i).beyond(l) == 0).toList();
      return within.isEmpty()
          ? beyond(i, Operator.EQ, 1, negate)
          : single(new Leaf.In(i, sorted(i, within), negate));
    }
    return single(leaf(p, negate));
  }

  private boolean isBeyond(ColumnRef ref, List<Object> literals) {
    ValueCodec codec = codec(column(ref));
    return literals.stream().anyMatch(l -> codec.beyond(l) != 0);
  }

  /**
   * A comparison with a number that is greater (or less) than all finite values of the type: true
   * of all of them, or of none, and of infinities by their sign.
   */
  private Node beyond(int column, Operator operator, int side, boolean negate) {
    boolean orders = operator != Operator.EQ && operator != Operator.NE;
    boolean less = operator == Operator.LT || operator == Operator.LE;
    boolean finite = (orders ? less == side > 0 : operator == Operator.NE) != negate;
    Optional<Operand> infinity = orders ? codec(column).infinite(side) : Optional.empty();
    if (infinity.isEmpty()) {
      return finite ? hasValue(column) : hasNone(column);
    }
    return single(
        finite == side > 0
            ? atMost(column, infinity.get(), !finite)
            : atLeast(column, infinity.get(), !finite));
  }

  private Node group(List<Predicate> children, boolean negate, boolean all) {
    Node[] nodes = children.stream().map(c -> node(c, negate)).toArray(Node[]::new);
    if (nodes.length == 1) {
      return nodes[0];
    }
    return all ? new Node.All(nodes) : new Node.Any(nodes);
  }

  private Leaf leaf(Predicate p, boolean negate) {
    if (p instanceof Predicate.Between b) {
      int i = column(b.column());
      Operand low = operand(i, b.low());
      Operand high = operand(i, b.high());
      return new Leaf.Range(i, codec(i), low, true, high, true, negate);
    }
    if (p instanceof Predicate.In in) {
      int i = column(in.column());
      return new Leaf.In(i, sorted(i, in.literals()), negate);
    }
    if (p instanceof Predicate.Prefix prefix) {
      return prefix(prefix, negate);
    }
    return new Leaf.Null(column(((Predicate.IsNull) p).column()), negate);
  }

  private Leaf comparison(Predicate.Comparison c, boolean negate) {
    int i = column(c.column());
    Operand o = operand(i, c.literal());
    ValueCodec codec = codec(i);
    return switch (c.operator()) {
      case EQ -> new Leaf.Range(i, codec, o, true, o, true, negate);
      case NE -> new Leaf.Range(i, codec, o, true, o, true, !negate);
      case LT -> negate ? atLeast(i, o, true) : atMost(i, o, false);
      case LE -> negate ? atLeast(i, o, false) : atMost(i, o, true);
      case GT -> negate ? atMost(i, o, true) : atLeast(i, o, false);
      case GE -> negate ? atMost(i, o, false) : atLeast(i, o, true);
    };
  }

  private Leaf atLeast(int column, Operand low, boolean inclusive) {
    return new Leaf.Range(column, codec(column), low, inclusive, null, false, false);
  }

  private Leaf atMost(int column, Operand high, boolean inclusive) {
    return new Leaf.Range(column, codec(column), null, false, high, inclusive, false);
  }

  private Operand[] sorted(int column, List<Object> literals) {
    List<Operand> distinct = new ArrayList<>();
    literals.stream()
        .map(l -> operand(column, l))
        .sorted(Operand::compareTo)
        .forEach(
            o -> {
              if (distinct.isEmpty() || distinct.get(distinct.size() - 1).compareTo(o) != 0) {
                distinct.add(o);
              }
            });
    return distinct.toArray(new Operand[0]);
  }

  private Leaf prefix(Predicate.Prefix p, boolean negate) {
    int i = column(p.column());
    if (!codec(i).supportsPrefix()) {
      throw invalid(
          columns.get(i).name()
              + " is of type "
              + columns.get(i).type()
              + ": a prefix can be asked of STRING and BYTES only",
          null);
    }
    byte[] bytes = p.prefix() instanceof byte[] b ? b : operand(i, p.prefix()).stored();
    return new Leaf.Prefix(i, codec(i), bytes, negate);
  }

  private int column(ColumnRef ref) {
    BoundColumn column = resolver.resolve(ref);
    int known = columns.indexOf(column);
    if (known >= 0) {
      return known;
    }
    for (BoundColumn other : columns) {
      if (other.name().equals(column.name())) {
        throw invalid(
            column.name()
                + " is read as "
                + other.type()
                + " and as "
                + column.type()
                + " in one predicate: use one type",
            null);
      }
    }
    columns.add(column);
    return columns.size() - 1;
  }

  private ValueCodec codec(int column) {
    return columns.get(column).type().codec();
  }

  private Operand operand(int column, Object literal) {
    try {
      return codec(column).operand(literal);
    } catch (InvalidValueException e) {
      throw invalid(columns.get(column).name() + ": " + e.getMessage(), e);
    }
  }

  private InvalidPredicateException invalid(String column, Exception cause) {
    return new InvalidPredicateException(
        "table '" + resolver.table() + "': column " + column, cause);
  }
}
