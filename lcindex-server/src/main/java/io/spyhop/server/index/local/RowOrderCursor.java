package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.Optional;

/** Finds rows by a columnar file in their order. Not thread-safe. */
final class RowOrderCursor extends ColumnCursor {
  private final Optional<CertainRows> certain;
  private MatchedRows matched;
  private int block;
  private int from;

  /**
   * @param driving the file of the driving index
   */
  RowOrderCursor(ColumnSource driving, RecordRequest request) throws IOException {
    super(driving, request);
    this.certain = request.sink().map(s -> new CertainRows(s, matcher));
    this.block = firstBlock() - 1;
  }

  @Override
  boolean advance() throws IOException {
    int next = matched == null ? -1 : RowBits.next(matched.found(), from);
    while (next < 0) {
      if (!nextBlock()) {
        return false;
      }
      next = RowBits.next(matched.found(), 0);
    }
    from = next + 1;
    read(matched, next);
    return true;
  }

  /** Goes to the next block; false behind the last that can have a row of the scan. */
  private boolean nextBlock() throws IOException {
    if (block >= lastBlock()) {
      matched = null;
      if (certain.isPresent()) {
        certain.get().end();
      }
      return false;
    }
    block++;
    matched = matcher.match(block);
    if (certain.isPresent()) {
      certain.get().take(matched, block == firstBlock() || block == lastBlock());
    }
    return true;
  }
}
