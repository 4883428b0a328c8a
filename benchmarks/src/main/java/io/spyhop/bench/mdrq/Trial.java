package io.spyhop.bench.mdrq;

import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the times of several ways to answer one query, asked one after the other. They take turns,
 * so that whatever else happens on the machine hits all of them. A quick way is asked several times
 * in a turn, so that its code is compiled and its median is one of many.
 *
 * @param warmups rounds that do not count
 * @param repetitions rounds that count
 * @param warming a turn that does not count lasts so long at least
 * @param turn a turn that counts lasts so long at least; each has one answer at least
 */
public record Trial(int warmups, int repetitions, Duration warming, Duration turn)
    implements Timing {
  /** Checks the numbers. */
  public Trial {
    if (warmups < 0 || repetitions < 1) {
      throw new IllegalArgumentException(
          "a trial of " + warmups + " warm-ups and " + repetitions + " repetitions");
    }
  }

  /** One answer a turn. */
  public Trial(int warmups, int repetitions) {
    this(warmups, repetitions, Duration.ZERO, Duration.ZERO);
  }

  /** Asks in one turn. */
  private interface Turn {
    void take(Stopwatch watch, Duration length) throws IOException;
  }

  @Override
  public List<Cost> costs(int rows, List<Side> sides) throws IOException {
    return costs(rows, sides, (watch, length) -> watch.turn(() -> forAtLeast(length, watch::ask)));
  }

  /**
   * The same, with something before each answer that does not count.
   *
   * @param preparation what is done then
   */
  Timing after(IoRunnable preparation) {
    Turn turn =
        (watch, length) ->
            forAtLeast(
                length,
                () -> {
                  preparation.run();
                  watch.turn(watch::ask);
                });
    return (rows, sides) -> costs(rows, sides, turn);
  }

  private List<Cost> costs(int rows, List<Side> sides, Turn asking) throws IOException {
    List<Stopwatch> watches = new ArrayList<>();
    sides.forEach(side -> watches.add(new Stopwatch(rows, side)));
    for (int round = -warmups; round < repetitions; round++) {
      for (int i = 0; i < sides.size(); i++) {
        if (round < 0) {
          asking.take(new Stopwatch(rows, sides.get(i)), warming);
        } else {
          asking.take(watches.get(i), turn);
        }
      }
    }
    return watches.stream().map(Stopwatch::cost).toList();
  }

  private static void forAtLeast(Duration time, IoRunnable asking) throws IOException {
    long begin = System.nanoTime();
    do {
      asking.run();
    } while (System.nanoTime() - begin < time.toNanos());
  }
}
