package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.StoredRow;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row that may be in the answer.
 *
 * @param row its key
 * @param stored its cells, if it is decided that it matches; null if the region must be asked
 */
public record Candidate(byte[] row, StoredRow stored) implements Comparable<Candidate> {
  private static final int OVERHEAD = 64;

  /** A row that matches, with its cells. */
  static Candidate decided(StoredRow stored) {
    return new Candidate(stored.row(), stored);
  }

  public boolean mustBeRead() {
    return stored == null;
  }

  long heapSize() {
    return (long) OVERHEAD + (stored == null ? row.length : stored.heapSize());
  }

  /** By row; of equal rows the one to be read first. */
  @Override
  public int compareTo(Candidate o) {
    int c = Bytes.compareTo(row, o.row);
    return c != 0 ? c : Boolean.compare(o.mustBeRead(), mustBeRead());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Candidate other && compareTo(other) == 0;
  }

  @Override
  public int hashCode() {
    return Bytes.hashCode(row);
  }
}
