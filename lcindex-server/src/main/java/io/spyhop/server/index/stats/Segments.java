package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cuts a region's rows where its HFiles begin and end. Within a segment each HFile holds all rows
 * or none, so that a decision on the union of those that hold some is as right as one on the whole
 * region. It is the only way in which an HFile is left out while others are read: where it shares
 * no row with what is read (correctness rule 18). Immutable: what is known of the sources at one
 * moment, so that a thread that made it under a lock may look at it without.
 */
final class Segments {
  /** With more HFiles the region is read whole. */
  static final int MAX_FILES = 16;

  private final List<Range> ranges;
  private final List<SourceSummary> memstores;
  private final boolean nullsTold;

  private Segments(List<Range> ranges, List<SourceSummary> memstores, boolean nullsTold) {
    this.ranges = ranges;
    this.memstores = memstores;
    this.nullsTold = nullsTold;
  }

  /** Judges by statistics whether some rows of a segment may match; it may take long. */
  @FunctionalInterface
  interface Condition {
    /**
     * @param all every source together that holds cells of the segment's rows
     * @param nullsTold as {@link io.spyhop.core.stats.RegionSummary#nullsTold}
     */
    boolean mightMatch(SourceSummary all, boolean nullsTold);
  }

  /**
   * One HFile of a store.
   *
   * @param first its first row
   * @param last its last row
   */
  private record Range(int store, byte[] first, byte[] last, SourceSummary summary) {
    boolean overlaps(byte[] start) {
      return Bytes.compareTo(first, start) <= 0 && Bytes.compareTo(last, start) >= 0;
    }
  }

  /** One store: its HFiles, and what its memstore holds, wherever that is. */
  record StoreFiles(StoreStatistics statistics, List<HStoreFile> files) {}

  /**
   * What is known of a region's sources now; takes no time to speak of.
   *
   * @return empty if the region is to be read whole
   */
  static Optional<Segments> of(List<StoreFiles> stores, boolean nullsTold) {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < stores.size(); i++) {
      for (HStoreFile f : stores.get(i).files()) {
        Optional<Range> range = range(i, stores.get(i).statistics(), f);
        if (range.isEmpty() || ranges.size() == MAX_FILES) {
          return Optional.empty();
        }
        ranges.add(range.get());
      }
    }
    List<SourceSummary> memstores =
        stores.stream().map(s -> s.statistics().withoutFiles()).toList();
    return Optional.of(new Segments(List.copyOf(ranges), memstores, nullsTold));
  }

  /**
   * The spans in which rows may match.
   *
   * @param rows what the query reads
   * @return empty if all is to be read
   */
  Optional<List<RowSpan>> matching(Condition condition, RowSpan rows) {
    List<RowSpan> read = new ArrayList<>();
    boolean skipped = false;
    List<byte[]> cuts = cuts(rows);
    for (int i = 0; i < cuts.size(); i++) {
      byte[] start = cuts.get(i);
      RowSpan segment = new RowSpan(start, i + 1 < cuts.size() ? cuts.get(i + 1) : rows.stop());
      boolean held = ranges.stream().anyMatch(r -> r.overlaps(start));
      if (condition.mightMatch(union(start), nullsTold) || !held && continues(read, segment)) {
        add(read, segment);
      } else {
        skipped |= held;
      }
    }
    return skipped ? Optional.of(read) : Optional.empty();
  }

  private static Optional<Range> range(int store, StoreStatistics statistics, HStoreFile file) {
    Optional<Cell> first = file.getFirstKey();
    Optional<Cell> last = file.getLastKey();
    Optional<SourceSummary> summary = statistics.summary(file.getPath().getName());
    if (file.isReference() || first.isEmpty() || last.isEmpty() || summary.isEmpty()) {
      return Optional.empty();
    }
    byte[] from = CellUtil.cloneRow(first.get());
    return Optional.of(new Range(store, from, CellUtil.cloneRow(last.get()), summary.get()));
  }

  /** Where segments begin, ascending; the first is where the query begins. */
  private List<byte[]> cuts(RowSpan rows) {
    SortedSet<byte[]> cuts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (Range r : ranges) {
      cuts.add(r.first);
      RowSpan.behind(r.last).ifPresent(cuts::add);
    }
    cuts.removeIf(cut -> !isInside(cut, rows));
    cuts.add(rows.start());
    return List.copyOf(cuts);
  }

  private static boolean isInside(byte[] row, RowSpan rows) {
    return Bytes.compareTo(row, rows.start()) > 0
        && (rows.stop().length == 0 || Bytes.compareTo(row, rows.stop()) < 0);
  }

  private SourceSummary union(byte[] start) {
    SourceSummary all = SourceSummary.NOTHING;
    for (int i = 0; i < memstores.size(); i++) {
      SourceSummary store = memstores.get(i);
      for (Range r : ranges) {
        if (r.store == i && r.overlaps(start)) {
          store = store.union(r.summary);
        }
      }
      all = all.beside(store);
    }
    return all;
  }

  /** Whether the span begins where the last one ends; rows that nobody holds cost nothing. */
  private static boolean continues(List<RowSpan> read, RowSpan span) {
    return !read.isEmpty() && Arrays.equals(read.get(read.size() - 1).stop(), span.start());
  }

  /** Spans that touch become one. */
  private static void add(List<RowSpan> read, RowSpan span) {
    if (continues(read, span)) {
      int last = read.size() - 1;
      read.set(last, new RowSpan(read.get(last).start(), span.stop()));
    } else {
      read.add(span);
    }
  }
}
