package io.spyhop.core.io;

import java.io.IOException;

/** A {@link Runnable} that may fail. */
@FunctionalInterface
public interface IoRunnable {
  /** Does the work. */
  void run() throws IOException;
}
