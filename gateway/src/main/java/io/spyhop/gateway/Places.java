package io.spyhop.gateway;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the queries that run: all together, and each user's, so that no user keeps the others out.
 * Thread-safe.
 */
final class Places {
  private final int all;
  private final int ofOne;

  /** Guarded by this, as the counts. */
  private final Map<String, Integer> taken = new HashMap<>();

  private int running;

  /**
   * @param all the most queries at once
   * @param ofOne the most of one user
   */
  Places(int all, int ofOne) {
    this.all = all;
    this.ofOne = ofOne;
  }

  /**
   * Takes a place, which is to be given back.
   *
   * @throws TooManyException if there is none
   */
  synchronized void take(String user) {
    if (running == all) {
      throw new TooManyException(
          all + " queries are running, the most that it runs at once; try again later");
    }
    int own = taken.getOrDefault(user, 0);
    if (own == ofOne) {
      throw new TooManyException(
          own + " queries of user '" + user + "' are running, the most of one; try again later");
    }
    taken.put(user, own + 1);
    running++;
  }

  /** A query has ended. */
  synchronized void give(String user) {
    running--;
    taken.computeIfPresent(user, (u, own) -> own == 1 ? null : own - 1);
  }
}
