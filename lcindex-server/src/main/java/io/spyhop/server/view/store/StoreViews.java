package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;

/** Finds the view of a store. Thread-safe. */
public interface StoreViews {
  /** The view that scans are to read; null if there is none. Returns at once. */
  SortedView current();

  /** A scan reads a view, with so many HFiles in one. */
  void used(int files);

  /** A scan could not read a view, or a file by what it says. */
  void failed(SortedView view, Exception failure);
}
