package io.spyhop.client.internal.order;

import io.spyhop.client.internal.exec.ScanPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The outcome of asking a feed for its first row.
 *
 * @param feed that was asked
 * @param found whether it has a row
 * @param failure why it has none to show, or null
 */
record FirstRow(RegionFeed feed, boolean found, IOException failure) {
  private static FirstRow of(RegionFeed feed) {
    try {
      return new FirstRow(feed, feed.next(), null);
    } catch (IOException e) {
      return new FirstRow(feed, false, e);
    }
  }

  /**
   * Asks all feeds, side by side, with this thread among those that ask.
   *
   * @return in the order of the feeds
   */
  static List<FirstRow> ofAll(List<RegionFeed> feeds, ScanPool pool) throws IOException {
    List<FutureTask<FirstRow>> tasks =
        feeds.stream().map(f -> new FutureTask<>(() -> of(f))).toList();
    tasks.stream().skip(1).forEach(pool::offer);
    List<FirstRow> first = new ArrayList<>();
    for (FutureTask<FirstRow> task : tasks) {
      task.run(); // harmless if it runs or ran elsewhere
      first.add(get(task));
    }
    return first;
  }

  private static FirstRow get(FutureTask<FirstRow> task) throws IOException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while waiting for a region").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException("asking a region failed: " + e.getCause(), e.getCause());
    }
  }
}
