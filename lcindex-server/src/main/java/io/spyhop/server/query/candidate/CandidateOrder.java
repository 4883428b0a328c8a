package io.spyhop.server.query.candidate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Puts candidates into row order. Most pairs of rows differ in the eight bytes after what all rows
 * begin with, so that these are compared first. Stateless.
 */
final class CandidateOrder {
  private CandidateOrder() {}

  /** A candidate and eight bytes of its row. */
  private record Headed(long head, Candidate candidate) implements Comparable<Headed> {
    @Override
    public int compareTo(Headed o) {
      int c = Long.compareUnsigned(head, o.head);
      return c != 0 ? c : candidate.compareTo(o.candidate);
    }
  }

  /** In row order, each row once: of equal rows the one to be read first. */
  static List<Candidate> distinct(List<Candidate> candidates) {
    int common = candidates.isEmpty() ? 0 : commonPrefix(candidates);
    Headed[] sorted = new Headed[candidates.size()];
    Arrays.setAll(
        sorted, i -> new Headed(head(candidates.get(i).row(), common), candidates.get(i)));
    Arrays.sort(sorted);
    List<Candidate> distinct = new ArrayList<>(sorted.length);
    byte[] last = null;
    for (Headed h : sorted) {
      byte[] row = h.candidate.row();
      if (last == null || !Bytes.equals(last, row)) {
        distinct.add(h.candidate);
        last = row;
      }
    }
    return distinct;
  }

  private static int commonPrefix(List<Candidate> candidates) {
    byte[] first = candidates.get(0).row();
    int common = first.length;
    for (Candidate c : candidates) {
      int differs = Arrays.mismatch(first, 0, common, c.row(), 0, Math.min(common, c.row().length));
      common = differs < 0 ? common : differs;
    }
    return common;
  }

  /** Eight bytes from an offset on, as if zeros followed the row. */
  private static long head(byte[] row, int offset) {
    if (row.length - offset >= Long.BYTES) {
      return Bytes.toLong(row, offset);
    }
    return Bytes.toLong(Arrays.copyOf(Arrays.copyOfRange(row, offset, row.length), Long.BYTES));
  }
}
