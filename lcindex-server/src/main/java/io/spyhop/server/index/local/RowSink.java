package io.spyhop.server.index.local;

import io.spyhop.core.aggregate.CodedColumn;
import io.spyhop.core.predicate.BoundColumn;
import java.io.IOException;
import java.util.List;

/**
 * Takes rows that match, of which all that is asked is in columnar files, so that they need not be
 * read. Rows come in no order, before those that are read. Not thread-safe.
 */
public interface RowSink {
  /** The columns that are asked for. */
  List<BoundColumn> columns();

  /** Whether a row is one of the scan's, which follow each other. */
  boolean isInRange(byte[] row);

  /**
   * Takes rows.
   *
   * @param rows a bit for each
   * @param values of the columns that are asked for
   * @throws FullException if there is no room for what it keeps of them, or it cannot take them
   */
  void take(long[] rows, List<CodedColumn> values) throws IOException;

  /** The last row of an HFile that was taken. */
  void upTo(byte[] row);

  /**
   * Nothing that came counts, neither rows that were taken nor those that were read since: all come
   * again.
   *
   * @return the row behind which they begin; null for the scan's first
   */
  byte[] startOver();

  /** All rows must be read, as there is no room. */
  final class FullException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * With a reason.
     *
     * @param defect null unless it is one
     */
    public FullException(String reason, RuntimeException defect) {
      super(reason, defect);
    }
  }
}
