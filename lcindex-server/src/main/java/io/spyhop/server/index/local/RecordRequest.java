package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * A reading of the index files of one HFile.
 *
 * @param keys the keys to read
 * @param predicate whose columns records are judged by
 * @param qualifiers the selected qualifiers of the family; null or empty for all
 * @param startRow rows before it need not be read; empty for none
 * @param stopRow rows behind it need not be read; empty for none
 * @param hfile the HFile, which stays open
 * @param rows where its rows are, for columnar layouts
 * @param narrowing what else says which rows match; empty if none may be left out by it
 * @param sink takes rows that are certain to match; empty if all are read
 * @param newestOnly whether of each column no more than the newest cell is asked for
 */
public record RecordRequest(
    KeyRanges keys,
    BoundPredicate predicate,
    NavigableSet<byte[]> qualifiers,
    byte[] startRow,
    byte[] stopRow,
    StoreFileReader hfile,
    Optional<ColumnSource> rows,
    Optional<Narrowing> narrowing,
    Optional<RowSink> sink,
    boolean newestOnly,
    ReadSettings reading) {
  /**
   * Rows of the HFile may be left out if they do not match the predicate, whatever others have of
   * them. All files are held by the caller.
   *
   * @param beside columnar files of the same HFile that tell of further columns
   * @param shared the rows that the HFile has in common with others
   * @param rivals all other HFiles that may have the same rows
   * @param memory the rows of memstores
   * @param condition the predicate, with what it found before
   */
  public record Narrowing(
      List<ColumnSource> beside,
      SharedRows shared,
      List<Rival> rivals,
      MemoryRows memory,
      KnownMatches.Condition condition) {}

  /**
   * Another HFile.
   *
   * @param rows where its rows are
   * @param driving its columnar file of the driving index
   * @param beside those that tell of further columns
   * @param shared the rows that it has in common with others
   * @param seen whether the query sees all its cells
   */
  public record Rival(
      StoreFileReader hfile,
      ColumnSource rows,
      ColumnSource driving,
      List<ColumnSource> beside,
      SharedRows shared,
      boolean seen) {}
}
