package io.spyhop.core.bucket;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The buckets of a table at one moment (paper, section III: the global directory): together they
 * have every key, each once. Immutable, thread-safe. A query keeps one from beginning to end;
 * splits meanwhile change where rows are, not which.
 */
public final class Directory {
  private final List<Bucket> buckets;
  private final int globalDepth;

  private Directory(List<Bucket> buckets) {
    this.buckets = List.copyOf(buckets);
    this.globalDepth = buckets.stream().mapToInt(Bucket::depth).max().orElse(0);
  }

  /**
   * The directory that a table's regions are.
   *
   * @param options the table's
   * @param startKeys where its regions begin, in any order
   * @throws InvalidBucketsException if some region is no bucket: its borders are none, or deeper
   *     than the table's bits
   */
  public static Directory of(BucketOptions options, Collection<byte[]> startKeys) {
    TreeSet<byte[]> starts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    starts.addAll(startKeys);
    if (starts.isEmpty() || starts.first().length > 0) {
      throw new InvalidBucketsException("no region has the table's first rows");
    }
    List<Bucket> buckets = new ArrayList<>();
    for (byte[] start : starts) {
      byte[] next = starts.higher(start);
      buckets.add(bucket(options, start, next == null ? new byte[0] : next));
    }
    return new Directory(buckets);
  }

  private static Bucket bucket(BucketOptions options, byte[] start, byte[] stop) {
    return Bucket.ofRange(start, stop)
        .filter(b -> b.depth() <= options.bits())
        .orElseThrow(
            () ->
                new InvalidBucketsException(
                    "region ["
                        + Bytes.toStringBinary(start)
                        + ", "
                        + Bytes.toStringBinary(stop)
                        + ") is no bucket of at most "
                        + options.bits()
                        + " bits: it was split or merged by hand, at a row that is no border"));
  }

  /**
   * The directory of a new table.
   *
   * @param buckets how many, a power of two
   */
  public static Directory even(int buckets) {
    int depth = Integer.numberOfTrailingZeros(buckets);
    List<Bucket> all = new ArrayList<>();
    for (int bits = 0; bits < buckets; bits++) {
      all.add(new Bucket(bits, depth));
    }
    all.sort(null);
    return new Directory(all);
  }

  /** The buckets in the order of their rows. */
  public List<Bucket> buckets() {
    return buckets;
  }

  /** How many bits the deepest bucket has. */
  public int globalDepth() {
    return globalDepth;
  }

  /** Where its regions begin, but for the first: a new table is split at these. */
  public byte[][] splitKeys() {
    return buckets.stream().skip(1).map(Bucket::start).toArray(byte[][]::new);
  }

  /** The bucket that has a stored row. */
  public Bucket of(byte[] row) {
    return buckets.stream().filter(b -> b.holds(row)).findFirst().orElseThrow();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Directory other && buckets.equals(other.buckets);
  }

  @Override
  public int hashCode() {
    return buckets.hashCode();
  }

  @Override
  public String toString() {
    return buckets.toString();
  }
}
