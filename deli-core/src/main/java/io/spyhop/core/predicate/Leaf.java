package io.spyhop.core.predicate;

import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One condition on one column, with NOT already pushed into it.
 *
 * <p>Because no NOT stands above a leaf, "unknown" and "false" make no difference to whether the
 * whole is true, and a leaf answers with a boolean: true, or not true. Immutable, thread-safe.
 */
sealed interface Leaf {
  /** The column's position in {@link BoundPredicate#columns()}. */
  int column();

  /** Whether it is true of a present cell with these value bytes. */
  boolean test(byte[] b, int off, int len);

  /** Whether it is true of a row without the column. */
  default boolean whenAbsent() {
    return false;
  }

  /** Whether it is true of a cell that does not decode. */
  default boolean whenUndecodable() {
    return false;
  }

  /**
   * The inclusive key ranges outside which it is not true of any decodable value; meaningful only
   * for leaves that are not true of absent and undecodable values. Computed at each call.
   */
  KeyRanges keys();

  /** Whether it is true of all decodable values with a key within one of the ranges, ends aside. */
  boolean isTrueWithin();

  /**
   * Text with the column's name.
   *
   * @param literal shows a literal, which is an operand or text
   */
  String show(BoundColumn column, Function<Object, String> literal);

  /** Within (or, negated, outside) bounds; a null operand is no bound. */
  record Range(
      int column,
      ValueCodec codec,
      Operand low,
      boolean lowInclusive,
      Operand high,
      boolean highInclusive,
      boolean negated)
      implements Leaf {

    @Override
    public boolean test(byte[] b, int off, int len) {
      boolean inside = true;
      if (low != null) {
        int c = low.compareStored(b, off, len);
        if (c == Operand.UNDECODABLE) {
          return false;
        }
        inside = lowInclusive ? c >= 0 : c > 0;
      }
      if (high != null && (inside || low == null)) {
        int c = high.compareStored(b, off, len);
        if (c == Operand.UNDECODABLE) {
          return false;
        }
        inside = inside && (highInclusive ? c <= 0 : c < 0);
      }
      return inside != negated;
    }

    @Override
    public KeyRanges keys() {
      if (!negated) {
        return KeyRanges.of(low == null ? null : low.key(), high == null ? null : high.key());
      }
      KeyRanges below = low == null ? KeyRanges.NONE : KeyRanges.of(null, low.key());
      KeyRanges above = high == null ? KeyRanges.NONE : KeyRanges.of(high.key(), null);
      return below.union(above);
    }

    @Override
    public boolean isTrueWithin() {
      boolean apart =
          !negated || low == null || high == null || low.key().compareTo(high.key()) < 0;
      return apart && hasKey(low) && hasKey(high);
    }

    private static boolean hasKey(Operand bound) {
      return bound == null || !bound.key().isUnkeyable();
    }

    @Override
    public String show(BoundColumn column, Function<Object, String> literal) {
      boolean point = low != null && high != null && low.compareTo(high) == 0;
      if (point && lowInclusive && highInclusive) {
        return column.name() + (negated ? " != " : " = ") + literal.apply(low);
      }
      String text =
          (low == null ? "" : column.name() + (lowInclusive ? " >= " : " > ") + literal.apply(low))
              + (low == null || high == null ? "" : " AND ")
              + (high == null
                  ? ""
                  : column.name() + (highInclusive ? " <= " : " < ") + literal.apply(high));
      return negated ? "NOT (" + text + ")" : text;
    }
  }

  /** Equal to one (negated: to none) of some operands, which are sorted and distinct. */
  record In(int column, Operand[] operands, boolean negated) implements Leaf {

    @Override
    public boolean test(byte[] b, int off, int len) {
      int from = 0;
      int to = operands.length - 1;
      while (from <= to) {
        int middle = (from + to) >>> 1;
        int c = operands[middle].compareStored(b, off, len);
        if (c == Operand.UNDECODABLE) {
          return false;
        }
        if (c == 0) {
          return !negated;
        }
        if (c < 0) {
          to = middle - 1;
        } else {
          from = middle + 1;
        }
      }
      return negated;
    }

    @Override
    public KeyRanges keys() {
      if (negated) {
        return KeyRanges.ALL;
      }
      return KeyRanges.unionOf(
          Arrays.stream(operands).map(o -> KeyRanges.of(o.key(), o.key())).toList());
    }

    @Override
    public boolean isTrueWithin() {
      return !negated && Arrays.stream(operands).noneMatch(o -> o.key().isUnkeyable());
    }

    @Override
    public String show(BoundColumn column, Function<Object, String> literal) {
      return column.name()
          + Arrays.stream(operands)
              .map(literal)
              .collect(Collectors.joining(", ", negated ? " NOT IN (" : " IN (", ")"));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof In other
          && column == other.column
          && negated == other.negated
          && List.of(operands).equals(List.of(other.operands));
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(operands);
    }
  }

  /** Stored bytes start (negated: do not start) with a prefix. */
  record Prefix(int column, ValueCodec codec, byte[] prefix, boolean negated) implements Leaf {

    @Override
    public boolean test(byte[] b, int off, int len) {
      if (!codec.isDecodable(b, off, len)) {
        return false;
      }
      boolean starts =
          len >= prefix.length
              && Arrays.equals(b, off, off + prefix.length, prefix, 0, prefix.length);
      return starts != negated;
    }

    @Override
    public KeyRanges keys() {
      return negated ? KeyRanges.ALL : KeyRanges.of(codec.prefixRange(prefix));
    }

    @Override
    public boolean isTrueWithin() {
      return !negated;
    }

    @Override
    public String show(BoundColumn column, Function<Object, String> literal) {
      return column.name()
          + (negated ? " NOT LIKE " : " LIKE ")
          + literal.apply("'" + Bytes.toStringBinary(prefix) + "%'");
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Prefix other
          && column == other.column
          && negated == other.negated
          && Arrays.equals(prefix, other.prefix);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(prefix);
    }
  }

  /** The row has no (negated: has a) cell of the column. */
  record Null(int column, boolean negated) implements Leaf {
    @Override
    public boolean test(byte[] b, int off, int len) {
      return negated;
    }

    @Override
    public boolean whenAbsent() {
      return !negated;
    }

    @Override
    public boolean whenUndecodable() {
      return negated;
    }

    @Override
    public KeyRanges keys() {
      return negated ? KeyRanges.ALL : KeyRanges.NONE;
    }

    @Override
    public boolean isTrueWithin() {
      return true;
    }

    @Override
    public String show(BoundColumn column, Function<Object, String> literal) {
      return column.name() + (negated ? " IS NOT NULL" : " IS NULL");
    }
  }
}
