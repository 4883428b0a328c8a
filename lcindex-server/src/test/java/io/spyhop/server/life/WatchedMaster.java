package io.spyhop.server.life;

import io.spyhop.server.hook.SpyhopMaster;
import java.io.IOException;

/** A master that lets a test look at each step of a global index's life. */
public final class WatchedMaster extends SpyhopMaster {
  private volatile Watch watch = step -> {};

  /** Looks. */
  @FunctionalInterface
  interface Watch {
    void done(String step) throws IOException;
  }

  /** Who looks from now on. */
  void watch(Watch by) {
    watch = by;
  }

  @Override
  protected void done(String step) throws IOException {
    watch.done(step);
  }
}
