package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.OrderFailure;
import io.spyhop.client.internal.exec.Pauses;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.order.KeyOrderFilter;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one region in the order of users' keys, which the region merges. Where it refuses, or
 * is another one since, the rest is read in another way, behind the last row's key. Used by one
 * thread at a time.
 */
final class KeyOrderSource implements RowSource {
  private static final Logger LOG = LoggerFactory.getLogger(KeyOrderSource.class);

  private final RowRange part;
  private final boolean descending;
  private final Ways ways;
  private RowRange left;
  private int failures;
  private RowSource source;

  /** Rows of {@link #source} so far. */
  private int taken;

  private RowStream instead;

  /** Opens the rows of regions. Thread-safe. */
  interface Ways {
    /** Asks a region for its rows with users' keys of a range. */
    RowSource ordered(RowRange part, RowRange users) throws IOException;

    /** How many rows it hands out before it must be asked again; all if that is not over 0. */
    int rowsAtOnce();

    /** Merges the prefixes of a part here. */
    RowStream byPrefix(RowRange part, RowRange users) throws IOException;

    /**
     * Asks the regions that a part has now.
     *
     * @param failures how often in a row that was in vain
     */
    RowStream again(RowRange part, RowRange users, int failures) throws IOException;
  }

  /**
   * @param part stored rows, of one region as far as is known
   * @param users the keys that are wanted
   * @param failures how often in a row the part was asked in vain
   */
  KeyOrderSource(RowRange part, RowRange users, boolean descending, Ways ways, int failures) {
    this.part = part;
    this.left = users;
    this.descending = descending;
    this.ways = ways;
    this.failures = failures;
  }

  @Override
  public Result next() throws IOException {
    while (instead == null) {
      if (left.isEmpty()) {
        return null;
      }
      try {
        if (source == null) {
          source = ways.ordered(part, left);
          taken = 0;
        }
        Result row = source.next();
        if (row != null) {
          left = StoredRows.behind(left, row.getRow(), descending);
          failures = 0;
          taken++;
          return row;
        }
        if (taken == 0 || taken != ways.rowsAtOnce()) {
          return null;
        }
        RowSource ended = source;
        source = null;
        ended.close();
      } catch (IOException e) {
        instead = recovered(e);
      }
    }
    return instead.next();
  }

  private RowStream recovered(IOException failure) throws IOException {
    closeSource(failure);
    if (OrderFailure.of(failure, KeyOrderFilter.class, failures) == OrderFailure.REFUSED) {
      LOG.debug("Rows of {} are merged here", part, failure);
      return ways.byPrefix(part, left);
    }
    LOG.debug("Rows of {} are asked for again", part, failure);
    if (failures > 0) {
      Pauses.growing(failures);
    }
    return ways.again(part, left, failures + 1);
  }

  private void closeSource(IOException because) {
    RowSource open = source;
    source = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException | RuntimeException e) {
        because.addSuppressed(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (instead != null) {
      instead.close();
    }
    if (source != null) {
      source.close();
    }
  }
}
