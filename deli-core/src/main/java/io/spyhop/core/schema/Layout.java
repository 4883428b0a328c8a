package io.spyhop.core.schema;

/** The contents of a {@link IndexKind#LOCAL} index's files. */
public enum Layout {
  /** The rows again, sorted by value (LCIndex): matching rows lie together. */
  CLUSTERING,
  /**
   * The column's values in the order of rows, as bit slices, and where each row is in its HFile:
   * small and soon built; conditions on several such columns narrow together.
   */
  COLUMNAR;

  /** The largest block size of a family whose rows {@link #COLUMNAR} can tell the place of. */
  public static final int MAX_BLOCK_BYTES = 1 << 20;

  /**
   * The layout of an index that is not told one.
   *
   * @param includes whether it is told which cells to store
   */
  static Layout usual(boolean includes) {
    return includes ? CLUSTERING : COLUMNAR;
  }
}
