package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import java.io.IOException;

/** Asks tables in some state, and takes times. */
@FunctionalInterface
interface Measurement {
  /** Asks, compares the answers of both sides, takes times, and reports. */
  void run(Scene scene, Progress.Factory progress) throws IOException;

  /** This one, and then another. */
  default Measurement then(Measurement next) {
    return (scene, progress) -> {
      run(scene, progress);
      next.run(scene, progress);
    };
  }
}
