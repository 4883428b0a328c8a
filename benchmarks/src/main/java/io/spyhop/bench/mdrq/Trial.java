package io.spyhop.bench.mdrq;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the times of several ways to answer one query, asked one after the other. They take turns,
 * so that whatever else happens on the machine hits all of them.
 *
 * @param warmups rounds that do not count
 * @param repetitions rounds that count
 */
public record Trial(int warmups, int repetitions) implements Timing {
  /** Checks the numbers. */
  public Trial {
    if (warmups < 0 || repetitions < 1) {
      throw new IllegalArgumentException(
          "a trial of " + warmups + " warm-ups and " + repetitions + " repetitions");
    }
  }

  @Override
  public List<Cost> costs(int rows, List<Side> sides) throws IOException {
    List<Stopwatch> watches = new ArrayList<>();
    sides.forEach(side -> watches.add(new Stopwatch(rows, side)));
    for (int round = -warmups; round < repetitions; round++) {
      for (int i = 0; i < sides.size(); i++) {
        Stopwatch watch = watches.get(i);
        if (round < 0) {
          sides.get(i).ask();
        } else {
          watch.turn(watch::ask);
        }
      }
    }
    return watches.stream().map(Stopwatch::cost).toList();
  }
}
