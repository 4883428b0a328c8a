package io.spyhop.core.predicate;

import java.util.Arrays;

/** The shape of a bound predicate over its leaves. Immutable, thread-safe. */
sealed interface Node {
  /** Whether the whole is true, given which leaves are. */
  boolean isTrue(boolean[] leaves);

  /** One leaf, by position. */
  record Single(int leaf) implements Node {
    @Override
    public boolean isTrue(boolean[] leaves) {
      return leaves[leaf];
    }
  }

  /** All children. */
  record All(Node[] children) implements Node {
    @Override
    public boolean isTrue(boolean[] leaves) {
      for (Node child : children) {
        if (!child.isTrue(leaves)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof All other && Arrays.equals(children, other.children);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(children);
    }
  }

  /** At least one child. */
  record Any(Node[] children) implements Node {
    @Override
    public boolean isTrue(boolean[] leaves) {
      for (Node child : children) {
        if (child.isTrue(leaves)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Any other && Arrays.equals(children, other.children);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(children) + 1;
    }
  }
}
