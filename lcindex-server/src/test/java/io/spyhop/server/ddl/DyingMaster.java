package io.spyhop.server.ddl;

import io.spyhop.server.hook.SpyhopMaster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A master that can be told to die behind a step of a global index's life. */
public final class DyingMaster extends SpyhopMaster {
  private final Map<String, Runnable> deadly = new ConcurrentHashMap<>();

  /**
   * Ends the master behind a step. Nothing that the step's thread would do afterwards is done.
   *
   * @param death ends it without waiting
   */
  void dieBehind(String step, Runnable death) {
    deadly.put(step, death);
  }

  @Override
  protected void done(String step) throws IOException {
    Runnable death = deadly.remove(step);
    if (death != null) {
      death.run();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException) new InterruptedIOException("dead").initCause(e);
      }
    }
  }
}
