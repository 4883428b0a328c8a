package io.spyhop.core.stats;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Counts of {@link ColumnStatistics}: of index entries, which are distinct pairs of row and key,
 * over all versions. Immutable, thread-safe.
 *
 * @param rows in the set, with or without the column
 * @param entries unkeyable ones included
 * @param complexEntries those that cannot be judged from their index record and are read again
 * @param rowsWithout without a put of the column
 * @param undecodable cells that do not decode as the column's type
 * @param unkeyable entries whose value has no key
 */
public record ColumnCounts(
    long rows,
    long entries,
    long complexEntries,
    long rowsWithout,
    long undecodable,
    long unkeyable) {
  void write(DataOutputStream out) throws IOException {
    out.writeLong(rows);
    out.writeLong(entries);
    out.writeLong(complexEntries);
    out.writeLong(rowsWithout);
    out.writeLong(undecodable);
    out.writeLong(unkeyable);
  }

  static ColumnCounts read(DataInputStream in) throws IOException {
    return new ColumnCounts(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }
}
