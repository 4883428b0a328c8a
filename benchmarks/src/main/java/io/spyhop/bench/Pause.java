package io.spyhop.bench;

import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.time.Duration;

/** A moment between two looks at what a cluster does. Stateless. */
public final class Pause {
  private Pause() {}

  /**
   * Waits.
   *
   * @param what happens meanwhile, for the message of an interruption
   */
  public static void of(Duration time, String what) throws IOException {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while " + what, e);
    }
  }
}
