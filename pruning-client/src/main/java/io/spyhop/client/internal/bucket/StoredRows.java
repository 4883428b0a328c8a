package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.bucket.BucketKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;

/** Translates users' row ranges into stored ones. Stateless. */
public final class StoredRows {
  private static final RowRange NOTHING = new RowRange(new byte[] {0}, new byte[] {0});

  private StoredRows() {}

  /** The same keys between bounds that are no longer than any key. */
  static RowRange within(RowRange users) {
    byte[] stop = BucketKeys.shortened(users.stop()).orElse(HConstants.EMPTY_END_ROW);
    return BucketKeys.shortened(users.start())
        .map(start -> new RowRange(start, stop))
        .orElse(NOTHING);
  }

  /** The stored rows of a range of users' keys: a range of each prefix, or one of everything. */
  public static RowRanges of(BucketKeys keys, RowRange range) {
    return range.equals(RowRange.ALL) ? RowRanges.ALL : new RowRanges(runs(keys, range));
  }

  /**
   * The same, one range for each prefix, in each of which rows are in the order of users' keys;
   * none if the range is empty.
   */
  public static List<RowRange> runs(BucketKeys keys, RowRange users) {
    RowRange range = within(users);
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
