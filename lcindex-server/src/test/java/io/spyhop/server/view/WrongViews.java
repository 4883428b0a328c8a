package io.spyhop.server.view;

import java.util.Arrays;

/** Views that say what is not so. */
public final class WrongViews {
  private WrongViews() {}

  /** Has a view name a run that is not there, for a key and all behind it. */
  public static void spoil(SortedView view, int key) {
    Arrays.fill(view.selectors(), key, view.keys(), Selectors.of(Selectors.MAX_RUNS - 1, 0));
  }
}
