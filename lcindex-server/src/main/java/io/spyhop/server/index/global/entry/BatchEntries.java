package io.spyhop.server.index.global.entry;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The entries of one index for cells that are about to be written. Of several cells of the same row
 * and timestamp in one batch the memstore keeps the last, and nothing will ever tell of the others;
 * but which is the last is not known as long as operations may still be bypassed. So each becomes
 * an entry, and the batch tells which ones are {@link #contested}. Not thread-safe.
 */
public final class BatchEntries {
  private final TableName table;
  private final IndexDefinition definition;
  private final ValueCodec codec;
  private final Map<Place, Written> places = new HashMap<>();

  /** The row and timestamp of a cell of the indexed column. */
  private record Place(byte[] row, long timestamp) {
    @Override
    public boolean equals(Object o) {
      return o instanceof Place p && timestamp == p.timestamp && Arrays.equals(row, p.row);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(row) + Long.hashCode(timestamp);
    }
  }

  /** The cells that a batch writes to a place; seldom more than one value. */
  private static final class Written {
    /** Null if the value does not decode. */
    private final Entry first;

    private boolean labelled;
    private boolean contested;

    /** Other entries, and whether they are labelled. */
    private Map<Entry, Boolean> others = Map.of();

    Written(Entry first, boolean labelled) {
      this.first = first;
      this.labelled = labelled;
    }

    void add(Entry entry, boolean itsLabel) {
      if (Objects.equals(entry, first)) {
        labelled |= itsLabel;
        return;
      }
      contested = true;
      if (entry != null) {
        others = others.isEmpty() ? new HashMap<>() : others;
        others.merge(entry, itsLabel, Boolean::logicalOr);
      }
    }

    void forEach(BiConsumer<Entry, Boolean> action) {
      if (first != null) {
        action.accept(first, labelled);
      }
      others.forEach(action);
    }
  }

  /**
   * @param table the base table, for messages
   */
  public BatchEntries(TableName table, IndexDefinition definition) {
    this.table = table;
    this.definition = definition;
    this.codec = definition.type().codec();
  }

  /**
   * Takes note of a cell; of other columns than the indexed one, and of delete markers, there is no
   * entry.
   *
   * @throws DoNotRetryIOException if the index table cannot hold the entry
   */
  public void add(Cell cell) throws DoNotRetryIOException {
    if (!definition.column().matches(cell) || !CellUtil.isPut(cell)) {
      return;
    }
    Place place = new Place(CellUtil.cloneRow(cell), cell.getTimestamp());
    Entry entry = entry(cell, place);
    Written others = places.get(place);
    if (others == null) {
      places.put(place, new Written(entry, isLabelled(cell)));
    } else {
      others.add(entry, isLabelled(cell));
    }
  }

  /**
   * The entry of a cell of the indexed column; none if its value does not decode.
   *
   * @throws DoNotRetryIOException if the index table cannot hold it
   */
  public Optional<Entry> entry(Cell cell) throws DoNotRetryIOException {
    return Optional.ofNullable(
        entry(cell, new Place(CellUtil.cloneRow(cell), cell.getTimestamp())));
  }

  /**
   * The entry of a cell that nobody gives another timestamp any more, as {@link #entry} has it.
   *
   * @throws DoNotRetryIOException also if it has none: HBase would give the entry one
   */
  public Optional<Entry> ofStored(Cell cell) throws DoNotRetryIOException {
    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "': index '"
              + definition.name()
              + "' cannot hold "
              + cell
              + ", which has no timestamp: write it with one, in place of this one");
    }
    return entry(cell);
  }

  /**
   * Null if the value does not decode. Reading parts of a cell takes its time: each is read once.
   */
  private Entry entry(Cell cell, Place place) throws DoNotRetryIOException {
    byte[] value = cell.getValueArray();
    int offset = cell.getValueOffset();
    int length = cell.getValueLength();
    if (!codec.isDecodable(value, offset, length)) {
      return null;
    }
    byte[] key = codec.key(value, offset, length).bytes();
    return checked(new Entry(key, place.row, place.timestamp), cell);
  }

  private Entry checked(Entry entry, Cell cell) throws DoNotRetryIOException {
    if (entry.fits()) {
      return entry;
    }
    throw new DoNotRetryIOException(
        "table '"
            + table
            + "': index '"
            + definition.name()
            + "' cannot hold the value of column "
            + definition.column()
            + " in row '"
            + Bytes.toStringBinary(entry.row(), 0, 64)
            + "...': value key and row key have "
            + (entry.valueKey().length + entry.row().length)
            + " bytes, more than "
            + Entry.MAX_LENGTH
            + "; shorten the row key or drop the index"
            + " (value: "
            + codec.display(
                cell.getValueArray(), cell.getValueOffset(), Math.min(64, cell.getValueLength()))
            + ")");
  }

  /** Whether not everybody who may read the column may see the cell. */
  public static boolean isLabelled(Cell cell) {
    if (cell.getTagsLength() == 0) {
      return false;
    }
    for (Tag tag : PrivateCellUtil.getTags(cell)) {
      if (tag.getType() == TagType.VISIBILITY_TAG_TYPE) {
        return true;
      }
    }
    return false;
  }

  /** What to write to the index table, in its order. */
  public List<Put> puts() {
    List<Put> puts = new ArrayList<>(places.size());
    for (Written w : places.values()) {
      w.forEach((entry, labelled) -> puts.add(entry.put(labelled)));
    }
    puts.sort(Comparator.comparing(Put::getRow, Bytes.BYTES_COMPARATOR));
    return puts;
  }

  /** All of them. */
  public List<Entry> entries() {
    List<Entry> all = new ArrayList<>(places.size());
    places.values().forEach(w -> w.forEach((entry, labelled) -> all.add(entry)));
    return all;
  }

  /** The entries of places where the batch writes more than one value: one of each is stored. */
  public List<Entry> contested() {
    List<Entry> contested = new ArrayList<>();
    for (Written w : places.values()) {
      if (w.contested) {
        w.forEach((entry, labelled) -> contested.add(entry));
      }
    }
    return contested;
  }
}
