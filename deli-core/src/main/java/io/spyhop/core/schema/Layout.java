package io.spyhop.core.schema;

/** What the files of a {@link IndexKind#LOCAL} index hold. */
public enum Layout {
  /** The rows again, sorted by value (LCIndex): matching rows lie together. */
  CLUSTERING,
  /**
   * The column's values in the order of rows, as bit slices, and where each row is in its HFile:
   * small and soon built; conditions on several such columns narrow together.
   */
  COLUMNAR
}
