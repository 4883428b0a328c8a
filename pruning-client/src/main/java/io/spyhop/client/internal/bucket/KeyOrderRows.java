package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.KeyOrderRequest.Run;
import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of one scan of a bucketed table in the order of users' keys (paper, section IV: a
 * priority queue over sorted buckets). Asked for rows once; thread-safe then.
 */
public final class KeyOrderRows implements KeyOrderSource.Ways {
  /** So many standard deviations more than its share a region has hardly ever. */
  private static final int DEVIATIONS = 3;

  /** So few rows of each region are asked for in one call a server. */
  private static final int FEW = 100;

  private final BucketKeys keys;
  private final BucketScans.Regions regions;
  private final ScanPool pool;
  private final Reader reader;
  private final Scan scan;
  private final long rows;
  private List<RowRange> parted = List.of();

  /** Reads stored rows. Thread-safe. */
  public interface Reader {
    /**
     * Opens a scan, whose rows come as {@link #shape} makes them.
     *
     * @param scan nobody else uses it, but for its filter
     */
    RowSource open(Scan scan) throws IOException;

    /**
     * What the caller gets of a stored row, with the user's key; null drops the row, of a scan that
     * has no limit.
     */
    Result shape(Result stored);
  }

  /**
   * @param scan what is asked for of whole rows, in users' order; its rows do not count; not
   *     changed
   * @param rows how many are wanted at most
   */
  public KeyOrderRows(
      BucketKeys keys,
      BucketScans.Regions regions,
      ScanPool pool,
      Reader reader,
      Scan scan,
      long rows) {
    this.keys = keys;
    this.regions = regions;
    this.pool = pool;
    this.reader = reader;
    this.scan = scan;
    this.rows = rows;
  }

  /**
   * Those with some users' keys, by regions, each of which merges its own; all are asked at once.
   */
  public RowStream of(RowRange users) throws IOException {
    parted = regions.cut(RowRanges.of(StoredRows.of(keys, users).hull()));
    boolean few = rowsAtOnce() > 0 && rowsAtOnce() <= FEW;
    FirstOf first = new FirstOf(users);
    List<MergedRows.Run> runs = new ArrayList<>();
    for (int i = 0; i < parted.size(); i++) {
      int part = i;
      runs.add(
          from ->
              from == null && few
                  ? first.rows(part)
                  : started(parted.get(part), leftFrom(users, from)));
    }
    return new MergedRows(runs, scan.isReversed(), PrefixRuns.room(runs.size(), 1, pool));
  }

  private RowRange leftFrom(RowRange users, byte[] from) {
    return from == null
        ? users
        : StoredRows.within(PrefixRuns.from(from, scan.isReversed())).within(users);
  }

  private RowStream started(RowRange part, RowRange users) {
    int atOnce = rowsAtOnce();
    ReadDemand demand = new ReadDemand(rows, atOnce > 0 ? atOnce : PrefixRuns.LEAST_ROWS);
    return RowStream.started(List.of(part), r -> source(r, users, 0), pool, demand);
  }

  /** The first rows of all regions, which are asked for when those of one are wanted. */
  private final class FirstOf {
    private final RowRange users;
    private List<Optional<FirstRows>> answers;

    FirstOf(RowRange users) {
      this.users = users;
    }

    RowStream rows(int part) throws IOException {
      if (answers == null) {
        List<Scan> scans = new ArrayList<>();
        for (RowRange p : parted) {
          scans.add(PrefixRuns.paged(asking(p, users), parted.size(), pool));
        }
        answers = regions.firstRows(scans);
      }
      RowRange of = parted.get(part);
      Optional<FirstRows> answer = answers.get(part);
      return answer.isPresent() ? begun(answer.get(), of) : started(of, users);
    }

    private RowStream begun(FirstRows answer, RowRange of) {
      return new BegunRows(
          answer, reader::shape, users, scan.isReversed(), left -> started(of, left));
    }
  }

  private RowSource source(RowRange part, RowRange users, int failures) {
    return new KeyOrderSource(part, users, scan.isReversed(), this, failures);
  }

  @Override
  public RowSource ordered(RowRange part, RowRange users) throws IOException {
    return open(asking(part, users), parted.size());
  }

  private Scan asking(RowRange part, RowRange users) throws IOException {
    return new Scan(scan)
        .setReversed(false)
        .withStartRow(part.start(), true)
        .withStopRow(part.stop(), false)
        .setFilter(new KeyOrderFilter(request(part, users)))
        .setLimit(rowsAtOnce());
  }

  /** Hashes spread rows evenly, so that each region has few of the first ones. */
  @Override
  public int rowsAtOnce() {
    if (scan.getLimit() <= 0) {
      return scan.getLimit();
    }
    double share = (double) scan.getLimit() / Math.max(1, parted.size());
    return (int) Math.min(scan.getLimit(), Math.ceil(share + DEVIATIONS * Math.sqrt(share)));
  }

  private KeyOrderRequest request(RowRange part, RowRange users) throws IOException {
    return KeyOrderRequest.of(
        part.start(), users.start(), users.stop(), scan.isReversed(), scan.getFilter());
  }

  private RowSource open(Scan changed, int atOnce) throws IOException {
    return reader.open(PrefixRuns.paged(changed, atOnce, pool));
  }

  @Override
  public RowStream byPrefix(RowRange part, RowRange users) throws IOException {
    KeyOrderRequest request = request(part, users);
    List<List<RowRange>> runs = new ArrayList<>();
    for (Run run : request.runs(keys, part.start(), part.stop())) {
      runs.add(List.of(new RowRange(run.start(), run.stop())));
    }
    RowSource.Opener opener =
        run -> {
          Scan own = new Scan(scan).setFilter(request.newFilter().orElse(null));
          return open(directed(own, run), parted.size() * runs.size());
        };
    return PrefixRuns.merged(runs, opener, scan.isReversed(), pool, rows, parted.size());
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
