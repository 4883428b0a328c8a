package io.spyhop.core.predicate;

import io.spyhop.core.wire.CorruptFrameException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * The HBase filter that carries a bound predicate: a scan with it returns the rows for which the
 * predicate is true, whole, whether or not the table has an index.
 *
 * <p>It judges the newest visible version of each column, as {@code SingleColumnValueFilter} does
 * by default, and like it sees only what the scan selects: the predicate's columns must be among
 * the selected ones. Not thread-safe, as all filters.
 */
public final class PredicateFilter extends FilterBase {
  private final BoundPredicate predicate;
  private final RowJudge judge;
  private boolean rejected;
  private long patience = Long.MAX_VALUE;
  private boolean paused;

  /** A filter for a predicate. */
  public PredicateFilter(BoundPredicate predicate) {
    this.predicate = predicate;
    this.judge = predicate.judge();
  }

  /** What the filter asks for. */
  public BoundPredicate predicate() {
    return predicate;
  }

  @Override
  public void reset() {
    judge.reset();
    rejected = false;
    paused = --patience <= 0;
  }

  /**
   * Has a region's scanner stop between two rows, as if there were no more, after so many rows:
   * those of which the filter sees no cell, as all are deleted, count too.
   */
  public void pauseAfter(long rows) {
    patience = Math.max(1, rows);
  }

  /** Whether the scanner that stopped did because of {@link #pauseAfter}. */
  public boolean isPaused() {
    return paused;
  }

  /** Has the scanner go on where it stopped, to the end. */
  public void goOn() {
    patience = Long.MAX_VALUE;
    paused = false;
  }

  /** Changes between rows only: within one HBase would cut it off. */
  @Override
  public boolean filterAllRemaining() {
    return paused;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    if (rejected) {
      return ReturnCode.NEXT_ROW;
    }
    int column = predicate.columnOf(cell);
    if (column >= 0) {
      rejected =
          !judge.offer(column, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
    return rejected ? ReturnCode.NEXT_ROW : ReturnCode.INCLUDE;
  }

  @Override
  public boolean hasFilterRow() {
    return true;
  }

  @Override
  public void filterRowCells(List<Cell> cells) {
    // The verdict falls in filterRow, which HBase asks next.
  }

  @Override
  public boolean filterRow() {
    return rejected || !judge.matches();
  }

  @Override
  public byte[] toByteArray() {
    return PredicateCodec.encode(predicate);
  }

  /**
   * Reads what {@link #toByteArray} wrote; HBase calls it by reflection.
   *
   * @throws DeserializationException if the bytes are not a predicate of this version
   */
  public static PredicateFilter parseFrom(byte[] bytes) throws DeserializationException {
    try {
      return new PredicateFilter(PredicateCodec.decode(bytes));
    } catch (CorruptFrameException e) {
      throw new DeserializationException(e);
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PredicateFilter other && predicate.equals(other.predicate);
  }

  @Override
  public int hashCode() {
    return predicate.hashCode();
  }

  @Override
  public String toString() {
    return "PredicateFilter(" + predicate + ")";
  }
}
