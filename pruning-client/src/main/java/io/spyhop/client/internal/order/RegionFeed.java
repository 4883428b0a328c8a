package io.spyhop.client.internal.order;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValuePosition;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that a region hands out in the order of values. Of a wide row for which there is no room
 * only the place is held, and the scan is closed: it is opened again when it is the row's turn.
 * Used by one thread at a time.
 */
final class RegionFeed implements Feed {
  private static final Logger LOG = LoggerFactory.getLogger(RegionFeed.class);

  private final RowRange range;
  private final ValueOrder order;
  private final Opener opener;
  private final HeadRoom room;
  private Optional<ValuePosition> after;
  private PlacedRow head;
  private RowSource source;
  private long held;

  /** How often in a row there was none since the part's scan was opened first. */
  private int failures;

  /** Opens scans of parts. Thread-safe. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens one; the caller closes it.
     *
     * @param after the last row that is not wanted any more
     */
    RowSource open(RowRange part, Optional<ValuePosition> after) throws IOException;
  }

  /**
   * @param after the last row that is not wanted any more
   * @param failures how often the rows behind it were asked for in vain
   */
  RegionFeed(
      RowRange range,
      ValueOrder order,
      Opener opener,
      HeadRoom room,
      Optional<ValuePosition> after,
      int failures) {
    this.range = range;
    this.order = order;
    this.opener = opener;
    this.room = room;
    this.after = after;
    this.failures = failures;
  }

  RowRange range() {
    return range;
  }

  /** The last row that it had. */
  Optional<ValuePosition> after() {
    return after;
  }

  int failures() {
    return failures;
  }

  @Override
  public boolean next() throws IOException {
    boolean itsTurn = isParked();
    giveRoom();
    if (source == null) {
      source = opener.open(range, after);
    }
    Result row = source.next();
    if (row == null) {
      head = null;
      return false;
    }
    ValuePosition at =
        order
            .position(Arrays.asList(row.rawCells()))
            .orElseThrow(() -> new IOException("a row of " + range + " came without its value"));
    if (after.isPresent() && order.compare(at, after.get()) <= 0) {
      throw new IOException("rows of " + range + " came in another order than that of " + order);
    }
    failures = 0;
    hold(new PlacedRow(at, row), itsTurn);
    return true;
  }

  private void hold(PlacedRow row, boolean itsTurn) {
    long bytes = row.heapSize();
    if (itsTurn) {
      room.require(bytes);
    } else if (!room.take(bytes)) {
      closeSource();
      head = new PlacedRow(row.at(), null);
      return;
    }
    held = bytes;
    head = row;
    after = Optional.of(row.at());
  }

  private void giveRoom() {
    room.give(held);
    held = 0;
  }

  /** Whether there was no room for the row, so that {@link #next} reads it again, or what is. */
  boolean isParked() {
    return head != null && head.row() == null;
  }

  @Override
  public PlacedRow head() {
    return head;
  }

  @Override
  public void close() {
    giveRoom();
    closeSource();
  }

  private void closeSource() {
    RowSource open = source;
    source = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Closing the scan of rows {} failed; its server frees it after a while", range, e);
      }
    }
  }
}
