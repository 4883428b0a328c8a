package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a column's newest cell, as they lie there, compared with a literal: what HBase's own
 * filters know. Immutable if nobody writes to its arrays, thread-safe.
 *
 * <p>An index sorts by the values that a type reads from the bytes, which may be another order:
 * {@link #keys} says where in an index of a type the cells are that satisfy the comparison.
 */
public final class ByteComparison {
  private final ColumnName column;
  private final Operator operator;
  private final byte[] literal;

  /** A comparison {@code column operator literal}, in unsigned byte order. */
  public ByteComparison(ColumnName column, Operator operator, byte[] literal) {
    this.column = column;
    this.operator = operator;
    this.literal = literal.clone();
  }

  /** The column. */
  public ColumnName column() {
    return column;
  }

  /** The predicate that is true of the rows that have all columns and satisfy all comparisons. */
  public static BoundPredicate all(List<ByteComparison> comparisons) {
    List<BoundColumn> columns = new ArrayList<>();
    List<Leaf> leaves = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (ByteComparison c : comparisons) {
      BoundColumn bound = new BoundColumn(c.column, ValueType.BYTES);
      if (!columns.contains(bound)) {
        columns.add(bound);
      }
      nodes.add(new Node.Single(leaves.size()));
      leaves.add(c.leaf(columns.indexOf(bound)));
    }
    Node root = nodes.size() == 1 ? nodes.get(0) : new Node.All(nodes.toArray(new Node[0]));
    return new BoundPredicate(columns, leaves, root);
  }

  private Leaf leaf(int position) {
    ValueCodec bytes = ValueType.BYTES.codec();
    Operand o = bytes.operandFromStored(literal);
    return switch (operator) {
      case EQ -> new Leaf.Range(position, bytes, o, true, o, true, false);
      case NE -> new Leaf.Range(position, bytes, o, true, o, true, true);
      case LT -> new Leaf.Range(position, bytes, null, false, o, false, false);
      case LE -> new Leaf.Range(position, bytes, null, false, o, true, false);
      case GT -> new Leaf.Range(position, bytes, o, false, null, false, false);
      case GE -> new Leaf.Range(position, bytes, o, true, null, false, false);
    };
  }

  /**
   * The keys that an index of a type gives to the decodable cells that satisfy the comparison, and
   * maybe to a few others; cells that do not decode have no key and must be looked for elsewhere.
   *
   * @return empty if nothing is known
   */
  public Optional<KeyRanges> keys(ValueType type) {
    if (operator == Operator.NE) {
      return Optional.empty();
    }
    return switch (type) {
      case BYTES, STRING -> Optional.of(ascending(key(ValueType.BYTES, literal)));
      case INT -> Optional.of(signed(type, Integer.BYTES));
      case LONG, TIMESTAMP -> Optional.of(signed(type, Long.BYTES));
      default -> equal(type);
    };
  }

  /** Text keys are those of the text's bytes, so that a literal that is no text bounds them too. */
  private KeyRanges ascending(ValueKey key) {
    return switch (operator) {
      case LT, LE -> KeyRanges.of(null, key);
      case GT, GE -> KeyRanges.of(key, null);
      default -> KeyRanges.of(key, key);
    };
  }

  /**
   * Whole numbers of two's complement: unsigned byte order has the negative ones last. Between
   * cells of one width a literal of another width lies where its first bytes, filled up with zeros,
   * lie; only equality it never has.
   */
  private KeyRanges signed(ValueType type, int width) {
    byte[] bound = Arrays.copyOf(literal, width);
    boolean negative = bound[0] < 0;
    ValueKey key = key(type, bound);
    ValueKey zero = key(type, new byte[width]);
    byte[] ones = new byte[width];
    Arrays.fill(ones, (byte) 0xff);
    ValueKey minusOne = key(type, ones);
    return switch (operator) {
      case LT, LE ->
          negative
              ? KeyRanges.of(zero, null).union(KeyRanges.of(null, key))
              : KeyRanges.of(zero, key);
      case GT, GE ->
          negative
              ? KeyRanges.of(key, minusOne)
              : KeyRanges.of(key, null).union(KeyRanges.of(null, minusOne));
      default -> literal.length == width ? KeyRanges.of(key, key) : KeyRanges.NONE;
    };
  }

  /** Equal bytes have equal keys, whatever the type. */
  private Optional<KeyRanges> equal(ValueType type) {
    if (operator != Operator.EQ || !type.codec().isDecodable(literal, 0, literal.length)) {
      return Optional.empty();
    }
    ValueKey key = key(type, literal);
    return Optional.of(KeyRanges.of(key, key));
  }

  private static ValueKey key(ValueType type, byte[] stored) {
    return type.codec().key(stored, 0, stored.length);
  }
}
