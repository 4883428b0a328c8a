package io.spyhop.bench.deli;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Numbers in an order that looks like chance and is the same every time. Stateless. */
final class Shuffle {
  private Shuffle() {}

  /** The numbers from 0 below n. */
  static int[] numbers(int n, long seed) {
    int[] numbers = IntStream.range(0, n).toArray();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int moved = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = moved;
    }
    return numbers;
  }
}
