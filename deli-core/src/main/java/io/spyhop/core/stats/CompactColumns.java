package io.spyhop.core.stats;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * Columns of a region that are to be packed in as many bytes as they may take. What does not fit
 * becomes coarser, the least useful first: filters of columns that no query asks for, filters of
 * those that queries ask for ranges of, then the largest filter, by halves, and last the bounds of
 * columns that no query asks for. Not thread-safe.
 */
final class CompactColumns {
  /** Null where nothing is kept. */
  private final CompactColumn[] columns;

  private final ColumnUse[] uses;
  private final int whole;
  private int size;
  private boolean coarserThanUsed;

  CompactColumns(CompactColumn[] columns, ColumnUse[] uses) {
    this.columns = columns;
    this.uses = uses;
    this.size = Arrays.stream(columns).mapToInt(CompactColumns::size).sum();
    this.whole = size;
  }

  private static int size(CompactColumn column) {
    return CompactSummary.LENGTH + (column == null ? 0 : column.size());
  }

  /** Makes them coarser until they fit, or nothing is left to be. */
  void fit(long bytes) {
    coarsen(bytes, ColumnUse.NONE, CompactColumn::bounds);
    coarsen(bytes, ColumnUse.RANGES, CompactColumn::bounds);
    coarserThanUsed = size > bytes;
    while (size > bytes && sizeOfBlooms(largest()) > 0) {
      int i = largest();
      set(i, columns[i].folded());
    }
    coarsen(bytes, ColumnUse.NONE, c -> null);
  }

  private void coarsen(long bytes, ColumnUse use, UnaryOperator<CompactColumn> how) {
    for (int i = 0; i < columns.length && size > bytes; i++) {
      if (uses[i] == use && columns[i] != null) {
        set(i, how.apply(columns[i]));
      }
    }
  }

  private void set(int i, CompactColumn coarser) {
    size += size(coarser) - size(columns[i]);
    columns[i] = coarser;
  }

  /** The column whose filters take the most; -1 without columns. */
  private int largest() {
    int largest = columns.length - 1;
    for (int i = 0; i < columns.length; i++) {
      if (sizeOfBlooms(i) > sizeOfBlooms(largest)) {
        largest = i;
      }
    }
    return largest;
  }

  private int sizeOfBlooms(int i) {
    return i < 0 || columns[i] == null ? 0 : columns[i].sizeOfBlooms();
  }

  /** What is kept; null for nothing. */
  CompactColumn[] columns() {
    return columns;
  }

  /** Whether filters are coarser, or take more than they may, that queries use. */
  boolean isCoarserThanUsed() {
    return coarserThanUsed;
  }

  /** The bytes that they take. */
  int size() {
    return size;
  }

  /** The bytes that they would take whole. */
  int whole() {
    return whole;
  }
}
