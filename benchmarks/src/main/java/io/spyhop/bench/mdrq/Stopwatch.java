package io.spyhop.bench.mdrq;

import io.spyhop.bench.CpuMeter;
import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Times of one side of a trial. Thread-safe, but for the turns themselves. */
final class Stopwatch {
  private static final double NANOS_PER_MILLI = 1e6;

  private final int rows;
  private final Side side;
  private final List<Double> times = new ArrayList<>();
  private Duration elapsed = Duration.ZERO;
  private Duration cpu = Duration.ZERO;

  /**
   * @param rows how many rows each answer must have
   */
  Stopwatch(int rows, Side side) {
    this.rows = rows;
    this.side = side;
  }

  /** Asks once and notes how long it took. */
  void ask() throws IOException {
    long start = System.nanoTime();
    int found = side.ask().size();
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    if (found != rows) {
      throw new IOException("a repeated query found " + found + " rows, the first time " + rows);
    }
    synchronized (times) {
      times.add(millis);
    }
  }

  /** Counts what is used during a turn, in which the side is asked. */
  void turn(IoRunnable turn) throws IOException {
    CpuMeter meter = CpuMeter.start();
    long start = System.nanoTime();
    turn.run();
    elapsed = elapsed.plusNanos(System.nanoTime() - start);
    cpu = cpu.plus(meter.elapsed());
  }

  /** What was measured. */
  Cost cost() {
    synchronized (times) {
      return Cost.of(times.stream().mapToDouble(Double::doubleValue).toArray(), elapsed, cpu);
    }
  }
}
