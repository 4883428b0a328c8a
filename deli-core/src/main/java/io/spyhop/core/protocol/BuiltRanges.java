package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The row ranges of a base table whose cells all have their entries. Immutable, thread-safe.
 *
 * @param ranges in any order, may overlap
 */
public record BuiltRanges(List<Range> ranges) {
  private static final int MAGIC = 0x53504252; // SPBR
  private static final int VERSION = 1;

  /**
   * Rows of the base table.
   *
   * @param start inclusive
   * @param end exclusive; empty is the end of the table
   */
  public record Range(byte[] start, byte[] end) {
    /** The rows that are in both; empty if there are none. */
    public Optional<Range> intersect(Range other) {
      byte[] from = Bytes.compareTo(start, other.start) >= 0 ? start : other.start;
      byte[] to =
          end.length == 0 || other.end.length > 0 && Bytes.compareTo(other.end, end) < 0
              ? other.end
              : end;
      return to.length == 0 || Bytes.compareTo(from, to) < 0
          ? Optional.of(new Range(from, to))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "[" + Bytes.toStringBinary(start) + ", " + Bytes.toStringBinary(end) + ")";
    }
  }

  /** The same rows in as few ranges as can be, in order: one if they are all rows of the table. */
  public static BuiltRanges merged(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort((a, b) -> Bytes.compareTo(a.start, b.start));
    List<Range> merged = new ArrayList<>();
    for (Range next : sorted) {
      Range last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || isApart(last, next)) {
        merged.add(next);
      } else {
        merged.set(merged.size() - 1, new Range(last.start, farther(last.end, next.end)));
      }
    }
    return new BuiltRanges(List.copyOf(merged));
  }

  private static boolean isApart(Range before, Range behind) {
    return before.end.length > 0 && Bytes.compareTo(before.end, behind.start) < 0;
  }

  private static byte[] farther(byte[] a, byte[] b) {
    return a.length == 0 || b.length > 0 && Bytes.compareTo(a, b) > 0 ? a : b;
  }

  /** The rows of the table that are in none of them, in order. */
  public List<Range> missing() {
    List<Range> missing = new ArrayList<>();
    byte[] reached = {};
    for (Range r : merged(ranges).ranges) {
      if (Bytes.compareTo(reached, r.start) < 0) {
        missing.add(new Range(reached, r.start));
      }
      reached = r.end;
      if (reached.length == 0) {
        return missing;
      }
    }
    missing.add(new Range(reached, new byte[0]));
    return missing;
  }

  /** Whether every row of the table is in one of them. */
  public boolean isComplete() {
    return missing().isEmpty();
  }

  /** Whether all rows from start (inclusive) to end (exclusive, empty is no bound) are built. */
  public boolean covers(byte[] start, byte[] end) {
    if (!contains(start)) {
      return false;
    }
    byte[] reached = reach(start);
    return reached.length == 0 || end.length > 0 && Bytes.compareTo(reached, end) >= 0;
  }

  /**
   * The first row at or after this one that is not built; the row itself if it is not, empty if all
   * that follow are.
   */
  public byte[] reach(byte[] start) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort((a, b) -> Bytes.compareTo(a.start, b.start));
    byte[] reached = start;
    for (Range r : sorted) {
      if (Bytes.compareTo(r.start, reached) > 0) {
        break;
      }
      if (r.end.length == 0) {
        return r.end;
      }
      if (Bytes.compareTo(r.end, reached) > 0) {
        reached = r.end;
      }
    }
    return reached;
  }

  /** Whether a row is built. */
  public boolean contains(byte[] row) {
    return ranges.stream()
        .anyMatch(
            r ->
                Bytes.compareTo(r.start, row) <= 0
                    && (r.end.length == 0 || Bytes.compareTo(r.end, row) > 0));
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeList(
        out,
        ranges,
        (to, r) -> {
          Frame.writeBytes(to, r.start);
          Frame.writeBytes(to, r.end);
        });
  }

  /** Reads the wire form. */
  public static BuiltRanges decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("built ranges", MAGIC, VERSION, bytes, BuiltRanges::read);
  }

  private static BuiltRanges read(DataInputStream in) throws IOException {
    List<Range> ranges =
        Frame.readList(
            in,
            2 * Frame.LEAST_BYTES,
            from -> new Range(Frame.readBytes(from), Frame.readBytes(from)));
    return new BuiltRanges(List.copyOf(ranges));
  }
}
