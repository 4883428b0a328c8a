package io.spyhop.bench.deli;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws numbers below n so that the k-th most frequent one is drawn in proportion to 1 /
 * k<sup>exponent</sup>. By the inverse of the distribution function, in O(log n). Which number has
 * which rank is shuffled, so that frequent ones are not neighbours. Immutable, thread-safe.
 */
final class Zipf {
  private final double[] cumulative;
  private final int[] numbers;

  /**
   * @param n how many numbers
   * @param exponent 0 draws all alike, 0.99 is what YCSB uses
   * @param seed of the shuffling
   */
  Zipf(int n, double exponent, long seed) {
    if (n < 1 || exponent < 0) {
      throw new IllegalArgumentException("n=" + n + " exponent=" + exponent);
    }
    cumulative = new double[n];
    double sum = 0;
    for (int rank = 1; rank <= n; rank++) {
      sum += Math.pow(rank, -exponent);
      cumulative[rank - 1] = sum;
    }
    numbers = Shuffle.numbers(n, seed);
  }

  /** The next number. */
  int draw(SplittableRandom random) {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    int rank = found >= 0 ? found + 1 : -found - 1;
    return numbers[Math.min(rank, numbers.length - 1)];
  }

  /** The share of draws that give a number of that rank, 0 being the most frequent. */
  double share(int rank) {
    double below = rank == 0 ? 0 : cumulative[rank - 1];
    return (cumulative[rank] - below) / cumulative[cumulative.length - 1];
  }

  /** The number of that rank. */
  int number(int rank) {
    return numbers[rank];
  }
}
