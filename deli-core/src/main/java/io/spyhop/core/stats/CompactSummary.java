package io.spyhop.core.stats;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A {@link RegionSummary} in few bytes, as clients keep it of very many regions: all that is told
 * of columns is one array, whose names other regions share. It may be coarser than what it is made
 * of, and then lets more pass, never less; changes apply to it all the same. Immutable if nobody
 * writes to its arrays, thread-safe.
 */
public final class CompactSummary {
  /** What tells how long a column is. */
  static final int LENGTH = Integer.BYTES;

  /** What objects take besides their content: this one, a text and three arrays. */
  private static final int OBJECTS = 72 + 24 + 3 * 24 + 24;

  private static final int NULLS_TOLD = 1;
  private static final int DELETES = 2;
  private static final int CELL_TTL = 4;
  private static final int COARSER_THAN_USED = 8;

  /** By how much the memstore's flags are shifted. */
  private static final int MEMSTORE = 4;

  private static final int MAX_KEY = (1 << Short.SIZE) - 1;

  private final String region;
  private final byte[] startKey;
  private final byte[] endKey;
  private final long epoch;
  private final long version;
  private final String unknown;
  private final Columns columns;

  /** Flags, families whose memstore holds cells, and columns. */
  private final byte[] packed;

  private final int whole;

  /**
   * The columns of which a table's regions tell, shared by these.
   *
   * @param names in order
   * @param types one of each
   */
  public record Columns(List<ColumnName> names, List<ValueType> types) {
    /** Copies the lists. */
    public Columns {
      names = List.copyOf(names);
      types = List.copyOf(types);
    }

    private static Columns of(RegionSummary s) {
      List<ColumnName> names = new ArrayList<>();
      List<ValueType> types = new ArrayList<>();
      for (Map.Entry<ColumnName, ColumnSummary> e : s.files().columns().entrySet()) {
        ColumnSummary memstore = s.memstore().columns().get(e.getKey());
        if (memstore != null && memstore.type() == e.getValue().type()) {
          names.add(e.getKey());
          types.add(memstore.type());
        }
      }
      return new Columns(names, types);
    }
  }

  private CompactSummary(RegionSummary of, Columns columns, byte[] packed, int whole) {
    this.region = of.region();
    this.startKey = of.startKey();
    this.endKey = of.endKey();
    this.epoch = of.epoch();
    this.version = of.version();
    this.unknown = of.unknown();
    this.columns = columns;
    this.packed = packed;
    this.whole = whole;
  }

  /**
   * Packs a summary.
   *
   * @param shared gives the instance of a table's columns that its regions share
   * @param use what queries ask of columns: what they ask most of is kept longest
   * @param bytes as many bytes as it should take in memory; where it must take more, it does
   */
  public static CompactSummary of(
      RegionSummary summary,
      UnaryOperator<Columns> shared,
      Function<ColumnName, ColumnUse> use,
      long bytes) {
    return of(summary, shared.apply(Columns.of(summary)), use, bytes, 0);
  }

  /** The same after changes, which begin where this one ends; see {@link RegionSummary#after}. */
  public CompactSummary after(
      List<SummaryChange> changes, Function<ColumnName, ColumnUse> use, long bytes) {
    return changes.isEmpty() ? this : of(unpacked().after(changes), columns, use, bytes, whole);
  }

  private static CompactSummary of(
      RegionSummary summary,
      Columns columns,
      Function<ColumnName, ColumnUse> use,
      long bytes,
      int whole) {
    CompactColumns kept = columns(summary, columns, use);
    int head = 1 + Short.BYTES + summary.occupied().stream().mapToInt(f -> 1 + f.length).sum();
    CompactSummary empty = new CompactSummary(summary, columns, new byte[0], 0);
    int fixed = empty.heapSize() + head;
    kept.fit(bytes - fixed);
    byte[] packed = packed(summary, kept, head);
    return new CompactSummary(summary, columns, packed, Math.max(whole, fixed + kept.whole()));
  }

  private static CompactColumns columns(
      RegionSummary s, Columns columns, Function<ColumnName, ColumnUse> use) {
    CompactColumn[] all = new CompactColumn[columns.names().size()];
    ColumnUse[] uses = new ColumnUse[all.length];
    for (int i = 0; i < all.length; i++) {
      ColumnName name = columns.names().get(i);
      all[i] = column(s.files().columns().get(name), s.memstore().columns().get(name));
      uses[i] = use.apply(name);
    }
    return new CompactColumns(all, uses);
  }

  private static CompactColumn column(ColumnSummary files, ColumnSummary memstore) {
    boolean isKept = files != null && memstore != null && isShort(files) && isShort(memstore);
    return isKept ? new CompactColumn(files, memstore).useful() : null;
  }

  private static boolean isShort(ColumnSummary c) {
    byte[] min = c.min();
    return min == null || Math.max(min.length, c.max().length) <= MAX_KEY;
  }

  private static byte[] packed(RegionSummary s, CompactColumns kept, int head) {
    ByteBuffer out = ByteBuffer.allocate(head + kept.size());
    out.put(
        (byte)
            ((s.nullsTold() ? NULLS_TOLD : 0)
                | (kept.isCoarserThanUsed() ? COARSER_THAN_USED : 0)
                | flags(s.files())
                | flags(s.memstore()) << MEMSTORE));
    out.putShort((short) s.occupied().size());
    for (byte[] family : s.occupied()) {
      out.put((byte) family.length).put(family);
    }
    for (CompactColumn c : kept.columns()) {
      out.putInt(c == null ? 0 : c.size());
      if (c != null) {
        c.write(out);
      }
    }
    return out.array();
  }

  private static int flags(SourceSummary s) {
    return (s.deletes() ? DELETES : 0) | (s.cellTtl() ? CELL_TTL : 0);
  }

  /** The region's encoded name. */
  public String region() {
    return region;
  }

  /** Its first row, as the server knew it. */
  public byte[] startKey() {
    return startKey;
  }

  /** The row after its last, empty for none. */
  public byte[] endKey() {
    return endKey;
  }

  /** As {@link RegionSummary#epoch}. */
  public long epoch() {
    return epoch;
  }

  /** As {@link RegionSummary#version}. */
  public long version() {
    return version;
  }

  /** Why nothing is known of the region; empty if it is known. */
  public String unknown() {
    return unknown;
  }

  /** Whether its statistics may be used. */
  public boolean isKnown() {
    return unknown.isEmpty();
  }

  /** Whether rows from start (inclusive) to stop (exclusive; empty for no end) are all its own. */
  public boolean covers(byte[] start, byte[] stop) {
    return RegionSummary.covers(startKey, endKey, start, stop);
  }

  /** Bytes that it would take if nothing had been left out. */
  public int wholeSize() {
    return whole;
  }

  /** Whether something was left out. */
  public boolean isCoarse() {
    return whole > heapSize();
  }

  /** Whether that was of use to queries. */
  public boolean isCoarserThanUsed() {
    return (packed[0] & COARSER_THAN_USED) != 0;
  }

  /** Bytes that it takes in memory, about. */
  public int heapSize() {
    return OBJECTS + region.length() + startKey.length + endKey.length + packed.length;
  }

  /**
   * Whether some row may match.
   *
   * @see io.spyhop.core.prune.Pruner#mightMatch
   */
  public boolean mightMatch(BoundPredicate predicate) {
    boolean hidden = (packed[0] & NULLS_TOLD) == 0 || deletes() || cellTtl();
    return predicate.mightMatch(
        (column, keys, whenAbsent, whenUndecodable) ->
            whenAbsent && hidden
                || might(column.name(), column.type(), keys, whenAbsent, whenUndecodable));
  }

  private boolean deletes() {
    return (packed[0] & (DELETES | DELETES << MEMSTORE)) != 0;
  }

  private boolean cellTtl() {
    return (packed[0] & (CELL_TTL | CELL_TTL << MEMSTORE)) != 0;
  }

  private boolean might(
      ColumnName name,
      ValueType type,
      KeyRanges keys,
      boolean whenAbsent,
      boolean whenUndecodable) {
    int column = columns.names().indexOf(name);
    if (column < 0 || columns.types().get(column) != type) {
      return true;
    }
    ByteBuffer in = behindFamilies();
    for (int i = 0; i < column; i++) {
      int length = in.getInt();
      in.position(in.position() + length);
    }
    return in.getInt() == 0 || CompactColumn.might(in, type, keys, whenAbsent, whenUndecodable);
  }

  private ByteBuffer behindFamilies() {
    ByteBuffer in = ByteBuffer.wrap(packed, 1, packed.length - 1);
    for (int families = in.getShort(); families > 0; families--) {
      int length = in.get();
      in.position(in.position() + length);
    }
    return in;
  }

  /** Whether the memstores of all these families are empty. */
  public boolean isMemstoreEmpty(Collection<byte[]> families) {
    SortedSet<byte[]> occupied = occupied();
    return families.stream().noneMatch(occupied::contains);
  }

  private SortedSet<byte[]> occupied() {
    SortedSet<byte[]> occupied = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    ByteBuffer in = ByteBuffer.wrap(packed, 1, packed.length - 1);
    for (int families = in.getShort(); families > 0; families--) {
      byte[] family = new byte[in.get()];
      in.get(family);
      occupied.add(family);
    }
    return occupied;
  }

  /** All that was kept. */
  public RegionSummary unpacked() {
    SortedMap<ColumnName, ColumnSummary> files = new TreeMap<>();
    SortedMap<ColumnName, ColumnSummary> memstore = new TreeMap<>();
    ByteBuffer in = behindFamilies();
    for (int i = 0; i < columns.names().size(); i++) {
      if (in.getInt() != 0) {
        CompactColumn c = CompactColumn.read(in, columns.types().get(i));
        files.put(columns.names().get(i), c.files());
        memstore.put(columns.names().get(i), c.memstore());
      }
    }
    return new RegionSummary(
        region,
        startKey,
        endKey,
        epoch,
        version,
        unknown,
        (packed[0] & NULLS_TOLD) != 0,
        occupied(),
        source(packed[0], files),
        source(packed[0] >> MEMSTORE, memstore));
  }

  private static SourceSummary source(int flags, SortedMap<ColumnName, ColumnSummary> columns) {
    return new SourceSummary((flags & DELETES) != 0, (flags & CELL_TTL) != 0, columns);
  }
}
