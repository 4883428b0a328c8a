package io.spyhop.server.index.view;

import io.spyhop.server.view.SortedView;

/**
 * Counts how often HBase could not read what a view says, one time after the other. A disk or a
 * network that fails for a while is no fault of the view; one that says where no block is fails
 * each time. Thread-safe.
 */
final class ReadFailures {
  /** So many within a time are the view's fault. */
  private static final int MOST = 3;

  /** Failures that lie farther apart have nothing to do with each other, in milliseconds. */
  private static final long APART = 60_000;

  private SortedView view;
  private long last;
  private int count;

  /** Adds one; true if the view may be at fault. */
  synchronized boolean add(SortedView failed, long now) {
    count = failed == view && now - last <= APART ? count + 1 : 1;
    view = failed;
    last = now;
    return count >= MOST;
  }
}
