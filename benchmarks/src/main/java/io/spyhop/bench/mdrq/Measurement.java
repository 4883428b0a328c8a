package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import java.io.IOException;

/** What is asked of tables in some state, and how. */
@FunctionalInterface
interface Measurement {
  /** Asks, compares the answers of both sides, takes times, and reports. */
  void run(Scene scene, Progress.Factory progress) throws IOException;
}
