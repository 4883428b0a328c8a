package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The changes of bucketed tables that a master refuses to everybody. Stateless. */
public final class BucketRules {
  private BucketRules() {}

  /**
   * Checks a table to be created.
   *
   * @param regions its regions
   */
  public static void checkNew(TableDescriptor table, RegionInfo[] regions) throws IOException {
    Optional<BucketOptions> options = options(table);
    if (options.isEmpty()) {
      return;
    }
    if (!BucketSplitPolicy.class.getName().equals(table.getRegionSplitPolicyClassName())) {
      throw refused(
          table,
          "a table with buckets has the split policy "
              + BucketSplitPolicy.class.getName()
              + ": create it with BucketAdmin.create (spyhop buckets create)");
    }
    for (RegionInfo r : regions) {
      Optional<Bucket> bucket = Bucket.ofRange(r.getStartKey(), r.getEndKey());
      if (bucket.filter(b -> b.depth() <= options.get().bits()).isEmpty()) {
        throw refused(
            table,
            "its region ["
                + Bytes.toStringBinary(r.getStartKey())
                + ", "
                + Bytes.toStringBinary(r.getEndKey())
                + ") is no bucket: create it with BucketAdmin.create (spyhop buckets create)");
      }
    }
  }

  /**
   * Checks a changed descriptor: rows are stored by what it says of buckets.
   *
   * @param current null if there is no such table
   */
  public static void checkChange(TableDescriptor current, TableDescriptor changed)
      throws IOException {
    String before = current == null ? null : current.getValue(BucketOptions.KEY);
    String after = changed.getValue(BucketOptions.KEY);
    if (current == null || Objects.equals(before, after)) {
      return;
    }
    if (before == null) {
      throw refused(
          changed,
          "it exists, and a table gets buckets when it is created: create another one, and copy the"
              + " rows");
    }
    if (after == null) {
      throw refused(changed, "its rows are led by bits of a hash: it cannot be without buckets");
    }
    BucketOptions had = options(current).orElseThrow();
    BucketOptions has = options(changed).orElseThrow();
    if (!had.withMaxSize(has.maxSize()).equals(has)) {
      throw refused(
          changed,
          "of its buckets the largest size alone can be changed, not hash, bits or how many there"
              + " were at first");
    }
  }

  /**
   * Checks where a region is to be split.
   *
   * @param region null if it is not known
   */
  public static void checkSplit(TableDescriptor table, RegionInfo region, byte[] row)
      throws IOException {
    Optional<BucketOptions> options = options(table);
    if (options.isEmpty() || region == null) {
      return;
    }
    Optional<byte[]> middle =
        BucketSplitPolicy.splittable(region, options.get()).map(Bucket::middle);
    if (middle.filter(m -> Arrays.equals(m, row)).isEmpty()) {
      throw refused(
          table,
          "region "
              + region.getEncodedName()
              + " cannot be split at "
              + Bytes.toStringBinary(row)
              + middle
                  .map(m -> ", but at " + Bytes.toStringBinary(m) + " alone, into two buckets")
                  .orElse(": it is no bucket, or as deep as the table's bits"));
    }
  }

  /**
   * Checks regions to be merged: together they must be a bucket.
   *
   * @param regions two or more, each beside the next
   */
  public static void checkMerge(TableDescriptor table, RegionInfo[] regions) throws IOException {
    if (options(table).isEmpty()) {
      return;
    }
    RegionInfo[] sorted = regions.clone();
    Arrays.sort(sorted);
    byte[] start = sorted[0].getStartKey();
    byte[] stop = sorted[sorted.length - 1].getEndKey();
    if (Bucket.ofRange(start, stop).isEmpty()) {
      throw refused(
          table,
          "its regions from ["
              + Bytes.toStringBinary(start)
              + " to "
              + Bytes.toStringBinary(stop)
              + ") cannot be merged: they would be no bucket");
    }
  }

  private static Optional<BucketOptions> options(TableDescriptor table) throws IOException {
    try {
      return BucketOptions.of(table);
    } catch (InvalidBucketsException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private static IOException refused(TableDescriptor table, String why) {
    return new DoNotRetryIOException("table '" + table.getTableName() + "': " + why);
  }
}
