package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.PartialRow;
import io.spyhop.core.aggregate.RowFeed;
import io.spyhop.core.conf.CheckedSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;

/**
 * Takes what a query's paths hand out into groups: partial results of regions, and rows of those
 * that do not aggregate. Not thread-safe.
 */
public final class AggregateRun {
  /** The setting of the memory that groups may take, in bytes. */
  public static final String BYTES = "spyhop.client.aggregate.bytes";

  private static final long DEFAULT_BYTES = 64L << 20;

  /** Without the setting it is at most this part of the heap. */
  private static final int HEAP_PART = 8;

  private final RowFeed feed;
  private final long most;
  private long rowsRead;
  private boolean begun;

  AggregateRun(AggregateRequest request, Configuration conf) {
    long usual = Math.min(DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    this.feed = new RowFeed(request);
    this.most = new CheckedSettings(conf).memory(BYTES, usual, 0);
  }

  /** Takes all rows. */
  void take(RowStream rows) throws IOException {
    for (Result row = rows.next(); row != null; row = rows.next()) {
      begun = true;
      take(row);
      if (feed.groups().bytes() > most) {
        throw new IOException(
            "the groups of the aggregate take more than "
                + BYTES
                + "="
                + most
                + ": ask for fewer by the condition, group by fewer values or count no distinct"
                + " ones, or set more if the client has it");
      }
    }
  }

  private void take(Result row) throws IOException {
    Optional<byte[]> partial = PartialRow.in(row);
    if (partial.isPresent()) {
      feed.merge(partial.get());
    } else {
      feed.offer(Arrays.asList(row.rawCells()));
      feed.endRow();
      rowsRead++;
    }
  }

  /** What was taken. */
  public Groups groups() {
    return feed.groups();
  }

  /** How many rows this client has taken one by one. */
  public long rowsRead() {
    return rowsRead;
  }

  boolean isEmpty() {
    return !begun;
  }
}
