package io.spyhop.server.view;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * Cuts a sequence of keys into segments. The caller adds them in order; what a segment's beginning
 * needs is only asked for where there is one. Not thread-safe.
 */
final class ViewBuilder {
  private static final int FIRST_ROOM = 1024;

  /** A place between two keys. */
  interface Place {
    /** The key before; null if there is none. */
    Cell before() throws IOException;

    /** The key behind. */
    Cell key() throws IOException;

    /** Where a run's first key behind the place is. */
    long position(int run) throws IOException;
  }

  private final CellComparator comparator;
  private final byte[] family;
  private final int interval;
  private final long maxSize;
  private final PackedLongs.Packer starts = new PackedLongs.Packer();
  private final Anchors.Collector anchors;
  private final PackedLongs.Packer[] pointers;
  private byte[] selectors = new byte[FIRST_ROOM];
  private int keys;
  private int segmentStart;

  /**
   * A view without keys.
   *
   * @param runs how many runs it is of
   */
  ViewBuilder(CellComparator comparator, byte[] family, int runs, BuildTerms terms) {
    this.comparator = comparator;
    this.family = family;
    this.interval = terms.interval();
    this.maxSize = terms.maxSize();
    anchors = new Anchors.Collector(family);
    pointers = new PackedLongs.Packer[runs];
    Arrays.setAll(pointers, r -> new PackedLongs.Packer());
  }

  /** How many keys there are so far. */
  int keys() {
    return keys;
  }

  /** How many keys the segment has that is being filled. */
  int filled() {
    return keys - segmentStart;
  }

  /** Whether a segment can begin before a key of this relation, and no sooner has to. */
  private boolean isCut(int relation) {
    return keys == 0 || filled() >= interval && relation != Selectors.SAME_KEY;
  }

  /**
   * Adds a key.
   *
   * @param place where it is; asked only while this runs
   */
  void add(int run, int relation, Place place) throws IOException {
    if (isCut(relation)) {
      begin();
      anchors.add(comparator, place.before(), place.key());
      for (int r = 0; r < pointers.length; r++) {
        pointers[r].add(place.position(r));
      }
      checkSize();
    }
    append(Selectors.of(run, relation));
  }

  /**
   * Begins a segment with the keys of a segment of another view, which are added as they are.
   *
   * @param place the place before them
   * @param isAsBefore whether the key before is the one that is before them in the other view
   * @param ranks the ranks of the other view's runs here
   */
  void adopt(
      SortedView old, int segment, int[] ranks, int relation, boolean isAsBefore, Place place)
      throws IOException {
    begin();
    if (isAsBefore) {
      anchors.add(old.anchors(), segment);
    } else {
      anchors.add(comparator, place.before(), place.key());
    }
    for (int r = 0; r < pointers.length; r++) {
      pointers[r].add(place.position(r));
    }
    checkSize();
    int start = old.start(segment);
    append(Selectors.of(ranks[old.run(start)], relation));
    for (int i = start + 1; i < old.end(segment); i++) {
      append(Selectors.of(ranks[old.run(i)], old.relation(i)));
    }
  }

  private void begin() {
    segmentStart = keys;
    starts.add(keys);
  }

  private void append(byte selector) throws IOException {
    if (keys == selectors.length) {
      long room = Math.min(2L * keys, Integer.MAX_VALUE - Long.BYTES);
      if (room <= keys) {
        throw new ViewTooLargeException("a view has at most " + keys + " keys", Long.MAX_VALUE, 0);
      }
      selectors = Arrays.copyOf(selectors, (int) room);
    }
    selectors[keys++] = selector;
  }

  private void checkSize() throws IOException {
    long size = keys + starts.size() + anchors.size();
    for (PackedLongs.Packer p : pointers) {
      size += p.size();
    }
    if (size > maxSize) {
      throw new ViewTooLargeException(
          "a view takes more than " + size + " bytes for its first " + keys + " keys", size, keys);
    }
  }

  /** The view of what was added. */
  SortedView view(List<Run> runs) throws ViewTooLargeException {
    PackedLongs[] packed = new PackedLongs[pointers.length];
    Arrays.setAll(packed, r -> pointers[r].packed());
    SortedView view =
        new SortedView(
            family,
            runs,
            interval,
            Arrays.copyOf(selectors, keys),
            starts.packed(),
            anchors.anchors(),
            packed);
    view.requireSize(maxSize);
    return view;
  }
}
