package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits the regions of bucketed tables (paper, section IV, "Efficient Bucket Splits"): one whose
 * HFiles are larger than the table's largest bucket becomes two of one bit more, wherever its data
 * lies, and never elsewhere. HBase's reference files make that cheap.
 *
 * <p>A region is left alone if it is no bucket, or as deep as the table's bits; if the table's
 * options cannot be read; and while the table's {@code SPLIT_ENABLED} is false, by which HBase's
 * master refuses all its splits, of whatever cause.
 *
 * <p>Named in the descriptors of tables: masters and region servers load it by this name. HBase
 * calls one object for each region, from several threads.
 */
public class BucketSplitPolicy extends RegionSplitPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(BucketSplitPolicy.class);

  /** Empty if the region is not to be split, whatever its size. */
  private volatile Optional<Bucket> bucket = Optional.empty();

  private volatile long maxSize = Long.MAX_VALUE;

  @Override
  protected void configureForRegion(HRegion ofRegion) {
    super.configureForRegion(ofRegion);
    TableDescriptor table = ofRegion.getTableDescriptor();
    RegionInfo info = ofRegion.getRegionInfo();
    try {
      Optional<BucketOptions> options = BucketOptions.of(table);
      maxSize = options.map(BucketOptions::maxSize).orElse(Long.MAX_VALUE);
      bucket = options.flatMap(o -> splittable(info, o));
    } catch (InvalidBucketsException e) {
      LOG.warn("Region {} is never split, as nobody knows its buckets", info.getEncodedName(), e);
    }
  }

  /** The bucket that a region is, if it can become two. */
  static Optional<Bucket> splittable(RegionInfo region, BucketOptions options) {
    Optional<Bucket> bucket = Bucket.ofRange(region.getStartKey(), region.getEndKey());
    if (bucket.isEmpty()) {
      LOG.warn("Region {} is no bucket and is never split", region.getRegionNameAsString());
    }
    return bucket.filter(b -> b.depth() < options.bits());
  }

  @Override
  protected boolean shouldSplit() {
    return bucket.isPresent()
        && region.getTableDescriptor().isSplitEnabled()
        && canSplit()
        && size() > maxSize;
  }

  private long size() {
    return region.getStores().stream().mapToLong(HStore::getSize).sum();
  }

  /** The border of the bucket's halves; null if it has none. Asked also by who forces a split. */
  @Override
  protected byte[] getSplitPoint() {
    return bucket.map(Bucket::middle).orElse(null);
  }
}
