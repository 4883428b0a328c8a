package io.spyhop.server.index.global;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import io.spyhop.server.index.global.opening.OpeningMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The notes of an index table about itself: the epoch of the build, which rows of the base table
 * are built in it, a cell for each stretch that one opening of a region built, and the marks of
 * openings, a row for each region (docs/formats/index-table.md). All such rows are before all
 * entries, in the table's first region. Stateless.
 *
 * <p>A note of built rows counts in its own epoch alone, so that one that comes late does not
 * outlive an un-build (correctness rule 26). Marks are of no epoch: openings go on.
 */
public final class ControlRows {
  private static final byte[] START = {0x00};
  private static final byte[] END = {0x01};

  private static final byte[] EPOCH = {0x00, 'a'};

  /**
   * Where built rows start; the epoch and the row of the base table that a stretch starts with
   * follow.
   */
  private static final byte[] BUILT = {0x00, 'b'};

  /** Where marks start; the region's encoded name follows. */
  private static final byte[] OPENINGS = {0x00, 'o'};

  /** Where a look at all entries goes on. */
  private static final byte[] LOOK = {0x00, 's'};

  private ControlRows() {}

  /**
   * A note that entries are to be looked at, as nothing may be behind them.
   *
   * @param epoch of the un-build that asked for it, or another number that none before had
   * @param from the first row of the index table that is to be looked at
   */
  public record Look(long epoch, byte[] from) {
    /** A look at all entries. */
    public static Look all(long epoch) {
      return new Look(epoch, END);
    }

    /** The note, which replaces any other. */
    public Put put() {
      return new Put(LOOK)
          .addColumn(IndexTable.CONTROL, IndexTable.QUALIFIER, value())
          .setDurability(Durability.SYNC_WAL);
    }

    private byte[] value() {
      return Bytes.add(Bytes.toBytes(epoch), from);
    }

    /** Reads it. */
    public static Get get() {
      return new Get(LOOK).addFamily(IndexTable.CONTROL);
    }

    /** What {@link #get} finds. */
    static Look of(Result found) throws CorruptFrameException {
      byte[] value = found.value();
      if (value == null || value.length < Long.BYTES) {
        throw new CorruptFrameException(
            "the note of a look at all entries has "
                + (value == null ? "no value" : value.length + " bytes"));
      }
      return new Look(
          Bytes.toLong(value, 0, Long.BYTES), Arrays.copyOfRange(value, Long.BYTES, value.length));
    }

    /** Replaces this note, unless another un-build has. */
    CheckAndMutate replaced(byte[] next) {
      return unchanged().build(new Look(epoch, next).put());
    }

    /** Deletes this note, unless another un-build has replaced it. */
    CheckAndMutate done() {
      return unchanged().build(new Delete(LOOK).addFamily(IndexTable.CONTROL));
    }

    private CheckAndMutate.Builder unchanged() {
      return CheckAndMutate.newBuilder(LOOK)
          .ifEquals(IndexTable.CONTROL, IndexTable.QUALIFIER, value());
    }
  }

  /**
   * Notes that rows are built; a later note of the same epoch, start and number replaces it. Those
   * of other epochs have other rows, and hide none of this one.
   *
   * @param epoch that of the build, as it was noted before the first cell was read; none in tables
   *     that have none
   * @param number that of the opening that has built them
   */
  public static Put built(OptionalLong epoch, byte[] start, byte[] end, long number) {
    return new Put(Bytes.add(builtIn(epoch), start))
        .addColumn(
            IndexTable.CONTROL,
            Bytes.toBytes(number),
            epoch.orElse(HConstants.LATEST_TIMESTAMP),
            new BuiltRanges(List.of(new Range(start, end))).encode())
        .setDurability(Durability.SYNC_WAL);
  }

  private static byte[] builtIn(OptionalLong epoch) {
    return epoch.isPresent() ? Bytes.add(BUILT, Bytes.toBytes(epoch.getAsLong())) : BUILT;
  }

  /** Notes a mark, unless one of a higher number is there: one that arrives late says nothing. */
  public static Put mark(OpeningMark mark) {
    return new Put(rowOf(mark))
        .addColumn(IndexTable.CONTROL, IndexTable.QUALIFIER, mark.number(), mark.encode())
        .setDurability(Durability.SYNC_WAL);
  }

  /** Takes a mark away, but none of a higher number. */
  static Delete remove(OpeningMark mark) {
    return new Delete(rowOf(mark))
        .addColumns(IndexTable.CONTROL, IndexTable.QUALIFIER, mark.number());
  }

  private static byte[] rowOf(OpeningMark mark) {
    return rowOf(mark.region());
  }

  private static byte[] rowOf(String region) {
    return Bytes.add(OPENINGS, Bytes.toBytes(region));
  }

  /** Reads all of them. */
  public static Scan scan() {
    return new Scan().withStartRow(START).withStopRow(END).addFamily(IndexTable.CONTROL);
  }

  /** Reads of all of them the epoch, and the mark of a region, by its encoded name. */
  static Scan scanOf(String region) {
    byte[] mark = rowOf(region);
    return scan()
        .setFilter(
            // It sorts the list that it is given.
            new MultiRowRangeFilter(
                new ArrayList<>(
                    List.of(
                        new RowRange(EPOCH, true, EPOCH, true),
                        new RowRange(mark, true, mark, true)))));
  }

  /** Reads the epoch; finds nothing if there is none. */
  public static Get epoch() {
    return new Get(EPOCH).addFamily(IndexTable.CONTROL);
  }

  /**
   * What the cells of {@link #scan} say.
   *
   * @param cells in the order of the table
   */
  public static ControlNotes notes(Iterable<Cell> cells) throws CorruptFrameException {
    OptionalLong epoch = OptionalLong.empty();
    List<Built> built = new ArrayList<>();
    List<OpeningMark> marks = new ArrayList<>();
    for (Cell c : cells) {
      if (CellUtil.matchingRows(c, EPOCH)) {
        epoch = OptionalLong.of(c.getTimestamp());
      } else if (isBuilt(c, epoch)) {
        long number = numberOf(c);
        BuiltRanges.decode(CellUtil.cloneValue(c))
            .ranges()
            .forEach(r -> built.add(new Built(number, r)));
      } else if (isIn(OPENINGS, c)) {
        marks.add(OpeningMark.decode(c.getTimestamp(), CellUtil.cloneValue(c)));
      }
    }
    return ControlNotes.of(epoch, built, marks);
  }

  /** Whether a row is one of the notes. */
  static boolean isNote(byte[] row) {
    return row.length > 0 && row[0] == START[0];
  }

  /**
   * The mark that a write makes.
   *
   * @return empty if it makes something else
   */
  static Optional<OpeningMark> markIn(Mutation written) throws CorruptFrameException {
    boolean mark = written instanceof Put && Bytes.startsWith(written.getRow(), OPENINGS);
    List<Cell> cells = written.getFamilyCellMap().get(IndexTable.CONTROL);
    if (!mark || written.size() != 1 || cells == null) {
      return Optional.empty();
    }
    Cell cell = cells.get(0);
    return Optional.of(OpeningMark.decode(cell.getTimestamp(), CellUtil.cloneValue(cell)));
  }

  /** Whether a cell is a note of built rows, of an epoch. */
  private static boolean isBuilt(Cell cell, OptionalLong epoch) {
    return isIn(builtIn(epoch), cell)
        && (epoch.isEmpty() || epoch.getAsLong() == cell.getTimestamp());
  }

  private static boolean isIn(byte[] prefix, Cell cell) {
    return cell.getRowLength() >= prefix.length
        && Bytes.equals(
            cell.getRowArray(), cell.getRowOffset(), prefix.length, prefix, 0, prefix.length);
  }

  /** Before openings had numbers, the qualifier was another one. */
  private static long numberOf(Cell built) {
    byte[] qualifier = CellUtil.cloneQualifier(built);
    return qualifier.length == Long.BYTES ? Bytes.toLong(qualifier) : 0;
  }

  /** An epoch that comes after all that the cells of {@link #scan} are of. */
  public static long nextEpoch(Iterable<Cell> cells, long now) {
    long next = now;
    for (Cell c : cells) {
      if (CellUtil.matchingRows(c, EPOCH) || isIn(BUILT, c)) {
        next = Math.max(next, c.getTimestamp() + 1);
      }
    }
    return next;
  }

  /** Begins an epoch: no note of built rows of an earlier one counts any more. */
  public static Put begin(long epoch) {
    return new Put(EPOCH)
        .addColumn(IndexTable.CONTROL, IndexTable.QUALIFIER, epoch, Bytes.toBytes(epoch))
        .setDurability(Durability.SYNC_WAL);
  }

  /** Takes away the notes of built rows among cells of {@link #scan} that are of earlier epochs. */
  public static List<Delete> forget(Iterable<Cell> cells, long epoch) {
    List<Delete> deletes = new ArrayList<>();
    for (Cell c : cells) {
      if (isIn(BUILT, c)) {
        deletes.add(new Delete(CellUtil.cloneRow(c)).addFamily(IndexTable.CONTROL, epoch - 1));
      }
    }
    return deletes;
  }
}
