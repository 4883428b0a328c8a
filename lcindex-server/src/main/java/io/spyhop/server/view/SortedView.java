package io.spyhop.server.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * The sorted view over several runs, as {@code package-info} draws it. Immutable, thread-safe.
 * Source: the REMIX data structure of Zhong et al., section 3.
 */
public final class SortedView {
  /** So many keys are looked at to find which runs have some. */
  private static final int LOOKED_AT = 1 << 14;

  /**
   * A sequence of segments.
   *
   * @param keys how many they have
   * @param runs of how many runs these are
   */
  public record Stretch(long keys, int runs) {}

  private final byte[] family;
  private final List<Run> runs;
  private final Map<String, Integer> ranks = new HashMap<>();
  private final int interval;
  private final byte[] selectors;
  private final PackedLongs starts;
  private final Anchors anchors;
  private final PackedLongs[] pointers;

  SortedView(
      byte[] family,
      List<Run> runs,
      int interval,
      byte[] selectors,
      PackedLongs starts,
      Anchors anchors,
      PackedLongs[] pointers) {
    this.family = family;
    this.runs = List.copyOf(runs);
    this.interval = interval;
    this.selectors = selectors;
    this.starts = starts;
    this.anchors = anchors;
    this.pointers = pointers;
    for (int r = 0; r < this.runs.size(); r++) {
      ranks.put(this.runs.get(r).name(), r);
    }
  }

  /** The runs by rank, the newest last. */
  public List<Run> runs() {
    return runs;
  }

  /** The rank of a run by its file's name; -1 if it is not in the view. */
  public int rank(String name) {
    return ranks.getOrDefault(name, -1);
  }

  /** How many keys all runs have. */
  public int keys() {
    return selectors.length;
  }

  /** How many keys a segment has, if it need not have more. */
  public int interval() {
    return interval;
  }

  /** The family that the cells are of; not to be changed. */
  byte[] family() {
    return family;
  }

  byte[] selectors() {
    return selectors;
  }

  PackedLongs starts() {
    return starts;
  }

  Anchors anchors() {
    return anchors;
  }

  PackedLongs pointers(int run) {
    return pointers[run];
  }

  /** Bytes of memory, to a few. */
  public long size() {
    long size = selectors.length + starts.size() + anchors.size();
    for (PackedLongs p : pointers) {
      size += p.size();
    }
    return size + runs.stream().mapToLong(Run::size).sum();
  }

  /** Fails if it takes more bytes. */
  public void requireSize(long most) throws ViewTooLargeException {
    if (size() > most) {
      throw new ViewTooLargeException("a view takes " + size() + " bytes", size(), 0);
    }
  }

  int segments() {
    return starts.count();
  }

  /** The rank of a key's run. */
  int run(int key) {
    return Selectors.run(selectors[key]);
  }

  /** How a key relates to the one before. */
  int relation(int key) {
    return Selectors.relation(selectors[key]);
  }

  /** The first key of a segment. */
  int start(int segment) {
    return (int) starts.get(segment);
  }

  /** The first key behind a segment. */
  int end(int segment) {
    return segment + 1 < starts.count() ? (int) starts.get(segment + 1) : selectors.length;
  }

  /** Where a run's first key at or after a segment's first key is. */
  long pointer(int segment, int run) {
    return pointers[run].get(segment);
  }

  /** The segment that a key is in; the last one for the end. */
  int segment(int key) {
    return starts.floor(key);
  }

  /** The segment where a key's place is, or at whose end. */
  int segment(CellComparator comparator, Cell key, int from) {
    return anchors.floor(comparator, key, from);
  }

  /** Whether a key comes before all of a segment, and of those behind it. */
  boolean isBefore(CellComparator comparator, Cell key, int segment) {
    return anchors.compare(comparator, key, segment) < 0;
  }

  /** The segments in which two keys have their places, and those between. */
  public Stretch around(CellComparator comparator, Cell first, Cell last) {
    int firstSegment = segment(comparator, first, 0);
    int from = start(firstSegment);
    int to = end(segment(comparator, last, firstSegment));
    return new Stretch(
        (long) to - from, to - from > LOOKED_AT ? runs.size() : Long.bitCount(runs(from, to)));
  }

  /** The bits of the ranks of the runs of which keys are. */
  private long runs(int from, int to) {
    long found = 0;
    for (int i = from; i < to; i++) {
      found |= 1L << run(i);
    }
    return found;
  }

  /** How many of a run's keys there are from one key to another, exclusive. */
  int count(int run, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += Selectors.run(selectors[i]) == run ? 1 : 0;
    }
    return count;
  }

  @Override
  public String toString() {
    return keys() + " keys of " + runs;
  }
}
