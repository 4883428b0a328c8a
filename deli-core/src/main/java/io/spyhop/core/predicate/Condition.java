package io.spyhop.core.predicate;

/** One condition of a predicate on one column, as those see it who judge many rows at once. */
public final class Condition {
  private final int number;
  private final Leaf leaf;
  private final KeyRanges keys;

  Condition(int number, Leaf leaf, KeyRanges keys) {
    this.number = number;
    this.leaf = leaf;
    this.keys = keys;
  }

  /** Its position among the predicate's conditions, from 0 on. */
  public int number() {
    return number;
  }

  /** Its column, by the position in {@link BoundPredicate#columns()}. */
  public int column() {
    return leaf.column();
  }

  /** Outside these keys it is not true of any decodable value. */
  public KeyRanges keys() {
    return keys;
  }

  /** Whether it is true of all decodable values with a key within one of the ranges, ends aside. */
  public boolean isTrueWithin() {
    return leaf.isTrueWithin();
  }

  /** Whether it is true of rows without the column. */
  public boolean whenAbsent() {
    return leaf.whenAbsent();
  }

  /** Whether it is true of a value, by its stored bytes. */
  public boolean isTrueOf(byte[] stored) {
    return leaf.test(stored, 0, stored.length);
  }
}
