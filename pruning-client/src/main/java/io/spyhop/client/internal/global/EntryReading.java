package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress of one search in one index. Used by one thread after the other.
 *
 * <p>All of it must be read within the time that entries outlive what made them obsolete
 * (correctness rule 10), so it knows when it began.
 */
final class EntryReading {
  private static final int PAGE = 1_000;

  /** Of a row's place in the map, and its list. */
  private static final int OVERHEAD = 120;

  private final EntryQuery query;
  private final IndexDefinition index;
  private final EntryWalk walk;
  private final long start = System.nanoTime();
  private final NavigableMap<byte[], List<Entry>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final long mostBytes;
  private RowRanges rest = new RowRanges(List.of());
  private long read;
  private long bytes;

  /**
   * @param mostBytes what the entries may take in memory, about
   */
  EntryReading(IndexCalls calls, EntryQuery query, IndexDefinition index, long mostBytes) {
    this.query = query;
    this.mostBytes = mostBytes;
    this.index = index;
    this.walk =
        new EntryWalk(
            calls, index, new EntryWalk.Wanted(query.spans(index), Long.MAX_VALUE, false));
  }

  /**
   * Reads on until there is no more, or more than so many were read, or there is no room for more.
   *
   * @return itself
   */
  EntryReading upTo(long most) throws IOException {
    while (!isWhole() && read <= most && !isFull()) {
      Bounded.requireTime();
      List<Entry> entries = walk.next((int) Math.min(PAGE, most + 1 - read));
      if (read == 0 && bytes == 0) {
        rest = query.rows().within(unbuilt());
      }
      read += entries.size();
      for (Entry e : entries) {
        if (query.rows().contains(e.row()) && !rest.contains(e.row())) {
          rows.computeIfAbsent(e.row(), r -> new ArrayList<>(1)).add(e);
          bytes += OVERHEAD + e.bytes();
        }
      }
    }
    return this;
  }

  private List<RowRange> unbuilt() {
    return walk.built().orElseThrow().missing().stream()
        .map(r -> new RowRange(r.start(), r.end()))
        .toList();
  }

  IndexDefinition index() {
    return index;
  }

  /** Whether there is no more to read. */
  boolean isWhole() {
    return walk.position().isEmpty();
  }

  /** Whether no more is read although there may be, as what there is takes all the memory. */
  boolean isFull() {
    return !isWhole() && bytes > mostBytes;
  }

  /** The query's rows that the index may lack, as they are being built or moved. */
  RowRanges rest() {
    return rest;
  }

  /** Whether that is all of them. */
  boolean knowsNothing() {
    return rest.equals(query.rows());
  }

  /** How many entries were read. */
  long read() {
    return read;
  }

  /** The rows in the query's range that they lead to, but for {@link #rest}. */
  NavigableMap<byte[], List<Entry>> rows() {
    return rows;
  }

  /** What is left of the time for it; zero if nothing is. */
  Duration left(Duration limit) {
    Duration left = limit.minusNanos(System.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
