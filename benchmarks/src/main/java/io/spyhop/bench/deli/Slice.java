package io.spyhop.bench.deli;

import io.spyhop.bench.PutLoader;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Puts in the order in which they are to be written, generated before the clock starts.
 *
 * @param keys which row each put is for
 * @param values of the indexed column
 */
record Slice(int[] keys, long[] values) {
  /** Whether both have as many. */
  Slice {
    if (keys.length != values.length) {
      throw new IllegalArgumentException(keys.length + " keys, " + values.length + " values");
    }
  }

  int size() {
    return keys.length;
  }

  /** Hands the puts out in batches. */
  PutLoader.Source batches(int size) {
    AtomicInteger next = new AtomicInteger();
    return () -> {
      int from = next.getAndAdd(size);
      return IntStream.range(from, Math.max(from, Math.min(size(), from + size)))
          .mapToObj(i -> DeliTable.put(keys[i], values[i]))
          .collect(Collectors.toCollection(ArrayList::new));
    };
  }

  /** Updates of rows that a distribution chooses, with values below a limit, all alike likely. */
  static Slice updates(int size, Zipf zipf, long values, SplittableRandom random) {
    int[] keys = new int[size];
    for (int i = 0; i < size; i++) {
      keys[i] = zipf.draw(random);
    }
    return new Slice(keys, random.longs(size, 0, values).toArray());
  }

  /** Each row of {@code first, first + step ...} below a limit once, in an order of chance. */
  static Slice eachOnce(int rows, int first, int step, long values, SplittableRandom random) {
    int size = (rows - first + step - 1) / step;
    int[] keys = Shuffle.numbers(size, random.nextLong());
    for (int i = 0; i < size; i++) {
      keys[i] = first + step * keys[i];
    }
    return new Slice(keys, random.longs(size, 0, values).toArray());
  }
}
