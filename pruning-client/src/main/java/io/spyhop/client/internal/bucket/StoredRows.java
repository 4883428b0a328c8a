package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.bucket.BucketKeys;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** What is left of users' keys behind one. */
  static RowRange behind(RowRange users, byte[] key, boolean descending) {
    return descending
        ? new RowRange(users.start(), key)
        : within(new RowRange(Arrays.copyOf(key, key.length + 1), users.stop()));
  }

  /**
   * The stored rows of a range of users' keys: a range of each prefix, or of all, or of one key.
   */
  public static RowRanges of(BucketKeys keys, RowRange range) {
    if (range.equals(RowRange.ALL)) {
      return RowRanges.ALL;
    }
    return range.isOneRow() ? one(keys.stored(range.start())) : new RowRanges(runs(keys, range));
  }

  private static RowRanges one(byte[] row) {
    return RowRanges.of(new RowRange(row, Arrays.copyOf(row, row.length + 1)));
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
