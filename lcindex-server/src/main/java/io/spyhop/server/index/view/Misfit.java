package io.spyhop.server.index.view;

import io.spyhop.server.runtime.Settings;
import io.spyhop.server.view.ViewTooLargeException;
import java.util.Set;

/**
 * A view that was not made because there was no room for it. One of the same HFiles and perhaps
 * more is no smaller, so none is tried until there is room, or one of the HFiles is gone.
 *
 * @param files the names of its HFiles
 * @param needed bytes that it would take, as far as is known
 * @param message what a user is told
 */
record Misfit(Set<String> files, long needed, String message) {
  /**
   * What is known once a view has turned out too large.
   *
   * @param entries cells of the files
   * @param room bytes that it could have taken
   * @param bound bytes that all views may take together
   */
  static Misfit of(
      Set<String> files, long entries, long room, long bound, ViewTooLargeException failure) {
    long all = failure.keys() == 0 ? failure.bytes() : scaled(failure, entries);
    String message =
        failure.getMessage() + "; " + room + " bytes are left of " + Settings.VIEW_MEMORY;
    return new Misfit(files, room >= bound ? Long.MAX_VALUE : Math.min(all, bound), message);
  }

  private static long scaled(ViewTooLargeException failure, long entries) {
    double share = (double) Math.max(entries, failure.keys()) / failure.keys();
    return (long) (failure.bytes() * share);
  }

  /** Whether a view of these HFiles cannot fit either. */
  boolean isAlsoOf(Set<String> live, long room) {
    return room < needed && live.containsAll(files);
  }
}
