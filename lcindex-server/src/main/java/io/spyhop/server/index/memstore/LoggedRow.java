package io.spyhop.server.index.memstore;

import io.spyhop.core.predicate.BoundColumn;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;

/** The cells that one write adds to one row of a store, as a log takes them. Not thread-safe. */
final class LoggedRow {
  private final List<BoundColumn> columns;
  private final long[] codes;
  private Cell first;
  private boolean complex;

  /**
   * @param columns those of the log
   */
  LoggedRow(List<BoundColumn> columns) {
    this.columns = columns;
    this.codes = new long[columns.size()];
  }

  /** Whether a cell is of another row than those before; false if there are none. */
  boolean isBefore(Cell cell) {
    return first != null && !CellUtil.matchingRows(first, cell);
  }

  /**
   * Adds a cell of the row.
   *
   * @param ttl whether the write gives it a TTL
   */
  void add(Cell cell, boolean ttl) {
    if (first == null) {
      first = cell;
    }
    boolean put = cell.getTypeByte() == KeyValue.Type.Put.getCode();
    complex |= ttl || !put || cell.getTagsLength() > 0;
    int column = put ? find(cell, cell.getQualifierLength()) : -1;
    if (column >= 0) {
      boolean several = codes[column] != ValueCodes.NONE;
      codes[column] = several ? ValueCodes.UNSURE : ValueCodes.of(cell, columns.get(column).type());
    }
  }

  /** Each cell of a write is asked for: few columns have a name of the same length. */
  private int find(Cell cell, int length) {
    for (int i = 0; i < codes.length; i++) {
      byte[] qualifier = columns.get(i).name().qualifier();
      if (qualifier.length == length && CellUtil.matchingQualifier(cell, qualifier)) {
        return i;
      }
    }
    return -1;
  }

  /** Begins another row. */
  void clear() {
    first = null;
    complex = false;
    Arrays.fill(codes, ValueCodes.NONE);
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Some cell of the row. */
  Cell cell() {
    return first;
  }

  /** By the log's columns. */
  long[] codes() {
    return codes;
  }

  /** Whether it has a value of some column. */
  boolean hasCodes() {
    for (long code : codes) {
      if (code != ValueCodes.NONE) {
        return true;
      }
    }
    return false;
  }

  /** Whether codes do not tell which values the row has once this is all that there is of it. */
  boolean isComplex() {
    return complex;
  }
}
