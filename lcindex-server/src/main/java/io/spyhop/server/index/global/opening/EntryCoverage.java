package io.spyhop.server.index.global.opening;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Notes of built rows, to be looked up by rows: a table has about as many as it has regions, and
 * each region asks for its own. Immutable.
 */
final class EntryCoverage {
  private final List<Built> byStart;

  /** For each, how far it or one before it goes; empty is the end of the table. */
  private final byte[][] reach;

  EntryCoverage(List<Built> built) {
    byStart = new ArrayList<>(built);
    byStart.sort((a, b) -> Bytes.compareTo(a.range().start(), b.range().start()));
    reach = new byte[byStart.size()][];
    for (int i = 0; i < reach.length; i++) {
      byte[] end = byStart.get(i).range().end();
      reach[i] = i > 0 ? farther(reach[i - 1], end) : end;
    }
  }

  private static byte[] farther(byte[] a, byte[] b) {
    return a.length == 0 || b.length > 0 && Bytes.compareTo(a, b) > 0 ? a : b;
  }

  /**
   * What of these rows is in notes.
   *
   * @param since the least number that counts
   */
  List<Range> in(Range rows, long since) {
    List<Range> found = new ArrayList<>();
    for (int i = first(rows.start()); i < byStart.size(); i++) {
      Built b = byStart.get(i);
      boolean behind = rows.end().length > 0 && Bytes.compareTo(b.range().start(), rows.end()) >= 0;
      if (behind) {
        break;
      }
      if (b.number() >= since) {
        b.range().intersect(rows).ifPresent(found::add);
      }
    }
    return found;
  }

  /** The first note that it or one before it goes beyond a row. */
  private int first(byte[] row) {
    int low = 0;
    int high = reach.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (reach[middle].length == 0 || Bytes.compareTo(reach[middle], row) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
