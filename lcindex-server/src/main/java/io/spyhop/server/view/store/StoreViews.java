package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import java.io.IOException;

/** Finds the view of a store. Thread-safe. */
public interface StoreViews {
  /** The view that scans are to read; null if there is none. Returns at once. */
  SortedView current();

  /** The blocks that scans of the server have just read. */
  RecentBlocks recent();

  /** A scan reads a view. */
  void used();

  /** A scan reads so many HFiles more than it would if one view were of all. */
  void missed(int files);

  /** HBase could not read a block of a file where a view says that one is. */
  void unread(SortedView view, IOException failure);

  /** A scan could not read a view, or a file by what it says. */
  void failed(SortedView view, Exception failure);
}
