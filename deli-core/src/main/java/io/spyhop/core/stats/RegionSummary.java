package io.spyhop.core.stats;

import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The statistics of one region as of a version. Immutable if nobody writes to its arrays,
 * thread-safe.
 *
 * @param region the region's encoded name
 * @param startKey its first row, as the server knew it
 * @param endKey the row after its last, empty for none
 * @param epoch never zero (which asks for everything); summaries of different epochs have nothing
 *     to do with each other
 * @param version counts the memstore's changes within the epoch
 * @param unknown why nothing is known of the region, which then must be asked; empty if it is known
 * @param nullsTold whether a column is NULL only in rows that {@link ColumnSummary#withAbsent}, a
 *     delete marker or a cell TTL tells of: the table has one family, and that has no TTL
 * @param occupied families whose memstore holds cells
 * @param files all HFiles together
 * @param memstore the memstores
 */
public record RegionSummary(
    String region,
    byte[] startKey,
    byte[] endKey,
    long epoch,
    long version,
    String unknown,
    boolean nullsTold,
    SortedSet<byte[]> occupied,
    SourceSummary files,
    SourceSummary memstore) {

  /** Copies the set. */
  public RegionSummary {
    SortedSet<byte[]> copy = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    copy.addAll(occupied);
    occupied = Collections.unmodifiableSortedSet(copy);
  }

  /** The summary of a region of which nothing is known. */
  public static RegionSummary unknown(
      String region, byte[] startKey, byte[] endKey, long epoch, String why) {
    return new RegionSummary(
        region,
        startKey,
        endKey,
        epoch,
        0,
        why,
        false,
        Collections.emptySortedSet(),
        SourceSummary.NOTHING,
        SourceSummary.NOTHING);
  }

  /** Whether its statistics may be used. */
  public boolean isKnown() {
    return unknown.isEmpty();
  }

  /** Whether the memstores of all these families are empty. */
  public boolean isMemstoreEmpty(Collection<byte[]> families) {
    return families.stream().noneMatch(occupied::contains);
  }

  /** Whether rows from start (inclusive) to stop (exclusive; empty for no end) are all its own. */
  public boolean covers(byte[] start, byte[] stop) {
    return covers(startKey, endKey, start, stop);
  }

  static boolean covers(byte[] startKey, byte[] endKey, byte[] start, byte[] stop) {
    boolean from = Bytes.compareTo(startKey, start) <= 0;
    boolean to = endKey.length == 0 || stop.length > 0 && Bytes.compareTo(stop, endKey) <= 0;
    return from && to;
  }

  /** All sources together: what a decision looks at. */
  public SourceSummary union() {
    return files.union(memstore);
  }

  /**
   * The summary after changes of its memstore, which begin where this one ends, in order; each
   * raises the version by one.
   */
  public RegionSummary after(List<SummaryChange> changes) {
    if (changes.isEmpty()) {
      return this;
    }
    SourceSummary changed = memstore;
    SortedSet<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    families.addAll(occupied);
    for (SummaryChange c : changes) {
      changed = c.applyTo(changed);
      if (c.kind() == SummaryChange.Kind.OCCUPIED) {
        families.add(c.bytes());
      }
    }
    return new RegionSummary(
        region,
        startKey,
        endKey,
        epoch,
        version + changes.size(),
        unknown,
        nullsTold,
        families,
        files,
        changed);
  }

  public void write(DataOutputStream out) throws IOException {
    out.writeUTF(region);
    Frame.writeBytes(out, startKey);
    Frame.writeBytes(out, endKey);
    out.writeLong(epoch);
    out.writeLong(version);
    out.writeUTF(unknown);
    out.writeBoolean(nullsTold);
    out.writeInt(occupied.size());
    for (byte[] family : occupied) {
      Frame.writeBytes(out, family);
    }
    files.write(out);
    memstore.write(out);
  }

  public static RegionSummary read(DataInputStream in) throws IOException {
    String region = Frame.readUtf(in);
    byte[] startKey = Frame.readBytes(in);
    byte[] endKey = Frame.readBytes(in);
    long epoch = in.readLong();
    long version = in.readLong();
    String unknown = Frame.readUtf(in);
    boolean nullsTold = in.readBoolean();
    SortedSet<byte[]> occupied = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int n = Frame.readCount(in, Frame.LEAST_BYTES); n > 0; n--) {
      occupied.add(Frame.readBytes(in));
    }
    return new RegionSummary(
        region,
        startKey,
        endKey,
        epoch,
        version,
        unknown,
        nullsTold,
        occupied,
        SourceSummary.read(in),
        SourceSummary.read(in));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RegionSummary s
        && region.equals(s.region)
        && Arrays.equals(startKey, s.startKey)
        && Arrays.equals(endKey, s.endKey)
        && epoch == s.epoch
        && version == s.version
        && unknown.equals(s.unknown)
        && nullsTold == s.nullsTold
        && occupied.equals(s.occupied)
        && files.equals(s.files)
        && memstore.equals(s.memstore);
  }

  @Override
  public int hashCode() {
    return region.hashCode() * 31 + Long.hashCode(epoch) + Long.hashCode(version);
  }
}
