package io.spyhop.server.index.global.repair;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Finds stored put cells that nobody can see any more; the entries of such cells may be deleted
 * from an index with {@link io.spyhop.core.schema.Maintenance#SYNC}. Pure.
 *
 * <p>What is deleted version by version may uncover an older version: the writer of such a delete
 * adds the entries of the column's stored cells again first.
 */
final class PurgeableCells {
  private PurgeableCells() {}

  /**
   * Judges a cell.
   *
   * @param stored everything that is stored of the column, and the row's markers of the family
   * @param put one of the puts
   */
  static boolean test(VersionRules rules, List<? extends Cell> stored, Cell put) {
    if (rules.keepsDeleted() || rules.newVersionBehavior()) {
      return false;
    }
    return isHidden(stored, put) || newer(stored, put) >= rules.maxVersions();
  }

  /**
   * A marker that was written before the cell may be dropped by a compaction that leaves the cell.
   * Compactions forget the order in which old cells were written: such are no proof. Nor is a
   * column's marker with one of a single version between it and the cell: where visibility labels
   * are on, HBase forgets the former when it meets the latter (docs/decisions/0007).
   */
  private static boolean isHidden(List<? extends Cell> stored, Cell put) {
    return stored.stream()
        .anyMatch(
            m ->
                PrivateCellUtil.isDeleteColumnOrFamily(m)
                    && m.getTimestamp() >= put.getTimestamp()
                    && put.getSequenceId() > 0
                    && m.getSequenceId() > put.getSequenceId()
                    && !CellEntries.isLabelled(m)
                    && !CellEntries.isLabelled(put)
                    && (PrivateCellUtil.isDeleteFamily(m) || !isForgotten(stored, m, put)));
  }

  private static boolean isForgotten(List<? extends Cell> stored, Cell marker, Cell put) {
    return stored.stream()
        .anyMatch(
            c ->
                PrivateCellUtil.isDeleteType(c)
                    && c.getTimestamp() <= marker.getTimestamp()
                    && c.getTimestamp() >= put.getTimestamp());
  }

  /** Newer versions that stay at least as long as the cell, by distinct timestamps. */
  private static long newer(List<? extends Cell> stored, Cell put) {
    return stored.stream()
        .filter(c -> CellUtil.isPut(c) && c.getTimestamp() > put.getTimestamp())
        .filter(c -> CellEntries.ttl(c).isEmpty() && !isMarked(stored, c))
        .mapToLong(Cell::getTimestamp)
        .distinct()
        .count();
  }

  private static boolean isMarked(List<? extends Cell> stored, Cell put) {
    return stored.stream()
        .anyMatch(
            m ->
                CellUtil.isDelete(m)
                    && (PrivateCellUtil.isDeleteColumnOrFamily(m)
                        ? m.getTimestamp() >= put.getTimestamp()
                        : m.getTimestamp() == put.getTimestamp()));
  }
}
