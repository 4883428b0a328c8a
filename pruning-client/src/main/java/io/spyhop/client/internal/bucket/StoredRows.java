package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.bucket.BucketKeys;
import java.util.ArrayList;
import java.util.List;

/** Where the rows of users' ranges are stored. Stateless. */
public final class StoredRows {
  private StoredRows() {}

  /**
   * The stored rows of a range of users' keys: a range of each prefix, or one of everything.
   *
   * @throws io.spyhop.core.bucket.InvalidBucketsException if a bound is longer than any key
   */
  public static RowRanges of(BucketKeys keys, RowRange range) {
    return range.equals(RowRange.ALL) ? RowRanges.ALL : new RowRanges(runs(keys, range));
  }

  /**
   * The same, one range for each prefix, in each of which rows are in the order of users' keys;
   * none if the range is empty.
   */
  public static List<RowRange> runs(BucketKeys keys, RowRange range) {
    if (range.isEmpty()) {
      return List.of();
    }
    List<RowRange> runs = new ArrayList<>();
    for (int prefix = 0; prefix < keys.prefixes(); prefix++) {
      runs.add(new RowRange(keys.start(prefix, range.start()), keys.stop(prefix, range.stop())));
    }
    return runs;
  }
}
