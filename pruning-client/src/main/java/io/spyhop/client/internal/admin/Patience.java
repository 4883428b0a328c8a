package io.spyhop.client.internal.admin;

import java.time.Duration;

/**
 * The time that each question of one look at a table waits for its regions: once one has waited in
 * vain, those after it wait briefly, so that a server which is silent holds up a look once.
 * Thread-safe.
 */
public final class Patience {
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration LEAST = Duration.ofSeconds(5);
  private static final Duration BRIEF = Duration.ofSeconds(2);

  private volatile Duration each;

  private Patience(Duration each) {
    this.each = each;
  }

  /** For a look that may take its time: 20 s for a question. */
  public static Patience longest() {
    return new Patience(LONGEST);
  }

  /**
   * For a look that is to end soon; a question waits for five seconds nevertheless: of very many
   * regions the answers take their time.
   */
  public static Patience within(Duration left) {
    Duration most = left.compareTo(LONGEST) < 0 ? left : LONGEST;
    return new Patience(most.compareTo(LEAST) < 0 ? LEAST : most);
  }

  /** How long the next question waits for all regions together. */
  Duration each() {
    return each;
  }

  /** A question has waited in vain. */
  void shorten() {
    each = BRIEF;
  }
}
