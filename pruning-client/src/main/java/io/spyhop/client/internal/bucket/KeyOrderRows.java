package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.exec.ScannerSource;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.KeyOrderRequest.Run;
import io.spyhop.core.protocol.BelievedBuckets;
import io.spyhop.core.protocol.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of one scan of a bucketed table in the order of users' keys (paper, section IV: a
 * priority queue over sorted buckets). Thread-safe.
 */
final class KeyOrderRows implements KeyOrderSource.Ways {
  private final Connection connection;
  private final TableName table;
  private final BucketKeys keys;
  private final BucketScans.Regions regions;
  private final ScanPool pool;
  private final Scan scan;
  private final long rows;
  private final int parts;

  /**
   * @param scan in users' keys, whole rows; not changed
   * @param rows how many are wanted at most
   * @param parts how many regions are read at the same time
   */
  KeyOrderRows(
      Connection connection,
      TableName table,
      BucketKeys keys,
      BucketScans.Regions regions,
      ScanPool pool,
      Scan scan,
      long rows,
      int parts) {
    this.connection = connection;
    this.table = table;
    this.keys = keys;
    this.regions = regions;
    this.pool = pool;
    this.scan = scan;
    this.rows = rows;
    this.parts = Math.max(1, parts);
  }

  /** Of regions, each of which merges its own; all are asked at once. */
  RowStream of(List<RowRange> parted, RowRange users) {
    ReadDemand demand = new ReadDemand(rows, PrefixRuns.LEAST_ROWS);
    List<MergedRows.Run> runs = new ArrayList<>();
    for (RowRange region : parted) {
      runs.add(from -> RowStream.started(List.of(region), r -> goOn(r, users, from), pool, demand));
    }
    return new MergedRows(runs, scan.isReversed(), PrefixRuns.room(runs.size(), 1, pool));
  }

  private RowSource goOn(RowRange part, RowRange users, byte[] from) {
    RowRange left =
        from == null
            ? users
            : StoredRows.within(PrefixRuns.from(from, scan.isReversed())).within(users);
    return source(part, left, 0);
  }

  private RowSource source(RowRange part, RowRange users, int failures) {
    return new KeyOrderSource(part, users, scan.isReversed(), this, failures);
  }

  @Override
  public RowSource ordered(RowRange part, RowRange users) throws IOException {
    KeyOrderRequest request = request(part, users);
    Scan asking =
        new Scan(scan)
            .setReversed(false)
            .withStartRow(part.start(), true)
            .withStopRow(part.stop(), false)
            .setFilter(new KeyOrderFilter(request));
    return open(asking, parts);
  }

  private KeyOrderRequest request(RowRange part, RowRange users) {
    return new KeyOrderRequest(part.start(), users.start(), users.stop(), scan.isReversed());
  }

  private RowSource open(Scan changed, int atOnce) throws IOException {
    Scan paged = PrefixRuns.paged(changed, atOnce, pool);
    BelievedBuckets.sign(paged, Optional.of(keys));
    Refusal.isKnownTo(paged);
    return ScannerSource.open(connection, table, paged, UserRows::of);
  }

  @Override
  public RowStream byPrefix(RowRange part, RowRange users) {
    List<List<RowRange>> runs = new ArrayList<>();
    for (Run run : request(part, users).runs(keys, part.start(), part.stop())) {
      runs.add(List.of(new RowRange(run.start(), run.stop())));
    }
    RowSource.Opener opener = run -> open(directed(new Scan(scan), run), parts * runs.size());
    return PrefixRuns.merged(runs, opener, scan.isReversed(), pool, rows, parts);
  }

  /** The scan of a range of stored rows, from its other end if it is reversed. */
  static Scan directed(Scan scan, RowRange run) {
    return scan.isReversed()
        ? scan.withStartRow(run.stop(), run.stop().length == 0).withStopRow(run.start(), true)
        : scan.withStartRow(run.start(), true).withStopRow(run.stop(), false);
  }

  @Override
  public RowStream again(RowRange part, RowRange users, int failures) throws IOException {
    List<RowStream> streams = new ArrayList<>();
    for (RowRange region : regions.now(part)) {
      streams.add(
          RowStream.of(
              List.of(region), r -> source(r, users, failures), pool, new ReadDemand(rows, 1)));
    }
    return MergedRows.of(streams, scan.isReversed());
  }
}
