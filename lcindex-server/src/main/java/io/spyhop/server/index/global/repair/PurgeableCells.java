package io.spyhop.server.index.global.repair;

import io.spyhop.server.index.CellTtl;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Finds stored put cells of one column of a row that nobody can see any more; the entries of such
 * cells may be deleted from an index with {@link io.spyhop.core.schema.Maintenance#SYNC}. What
 * tells of all cells is computed once, as a row that is written often has thousands before a flush.
 * Immutable, thread-safe.
 *
 * <p>What is deleted version by version may uncover an older version: the writer of such a delete
 * adds the entries of the column's stored cells again first.
 */
final class PurgeableCells {
  private final boolean none;
  private final List<Cell> markers;
  private final List<Cell> ofOneVersion;
  private final OptionalLong enoughAbove;

  /**
   * Of a column.
   *
   * @param stored all puts and markers of the column, and the row's markers of the family; those
   *     before all cells that are judged may be left out
   */
  PurgeableCells(VersionRules rules, List<? extends Cell> stored) {
    none = rules.keepsDeleted() || rules.newVersionBehavior();
    markers = some(stored, PrivateCellUtil::isDeleteColumnOrFamily);
    ofOneVersion = some(stored, PrivateCellUtil::isDeleteType);
    enoughAbove = enoughAbove(rules.maxVersions(), stored);
  }

  private static List<Cell> some(List<? extends Cell> stored, Predicate<Cell> which) {
    return stored.stream().filter(which).<Cell>map(c -> c).toList();
  }

  /** The timestamp before which there are as many newer versions as are kept; empty if nowhere. */
  private OptionalLong enoughAbove(int versions, List<? extends Cell> stored) {
    long hidden = markers.stream().mapToLong(Cell::getTimestamp).max().orElse(Long.MIN_VALUE);
    Set<Long> gone =
        stored.stream()
            .filter(c -> CellUtil.isDelete(c) && !PrivateCellUtil.isDeleteColumnOrFamily(c))
            .map(Cell::getTimestamp)
            .collect(Collectors.toSet());
    NavigableSet<Long> newest = new TreeSet<>();
    for (Cell c : stored) {
      boolean stays = CellUtil.isPut(c) && c.getTimestamp() > hidden && !CellTtl.isIn(c);
      if (stays && !gone.contains(c.getTimestamp())) {
        newest.add(c.getTimestamp());
      }
      if (newest.size() > versions) {
        newest.pollFirst();
      }
    }
    return newest.size() < versions ? OptionalLong.empty() : OptionalLong.of(newest.first());
  }

  /** Judges one of the puts. */
  boolean has(Cell put) {
    boolean old = enoughAbove.isPresent() && put.getTimestamp() < enoughAbove.getAsLong();
    return !none && (old || isHidden(put));
  }

  /**
   * A marker that was written before the cell may be dropped by a compaction that leaves the cell.
   * Compactions forget the order in which old cells were written: such are no proof. Nor is a
   * column's marker with one of a single version between it and the cell: where visibility labels
   * are on, HBase forgets the former when it meets the latter (docs/decisions/0007).
   */
  private boolean isHidden(Cell put) {
    return markers.stream()
        .anyMatch(
            m ->
                m.getTimestamp() >= put.getTimestamp()
                    && put.getSequenceId() > 0
                    && m.getSequenceId() > put.getSequenceId()
                    && !CellEntries.isLabelled(m)
                    && !CellEntries.isLabelled(put)
                    && (PrivateCellUtil.isDeleteFamily(m) || !isForgotten(m, put)));
  }

  private boolean isForgotten(Cell marker, Cell put) {
    return ofOneVersion.stream()
        .anyMatch(
            c ->
                c.getTimestamp() <= marker.getTimestamp()
                    && c.getTimestamp() >= put.getTimestamp());
  }
}
