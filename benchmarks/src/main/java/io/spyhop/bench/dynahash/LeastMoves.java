package io.spyhop.bench.dynahash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Computes the least bytes that must be moved. For buckets of one depth, which all have the same
 * normalised size: servers are as even as can be when each has the whole part of buckets / servers,
 * and as many as the remainder says have one more. A server that goes gives all of its buckets; one
 * that stays gives what it has beyond its number, the smallest ones; and those keep one more that
 * have the most to lose. What the others get is what these give. Stateless.
 */
final class LeastMoves {
  private LeastMoves() {}

  /**
   * The least bytes.
   *
   * @param held the bytes of each bucket's index files, for each server that has some
   * @param staying the servers that shall have buckets
   */
  static <S> long bytes(Map<S, List<Long>> held, Set<S> staying) {
    int buckets = held.values().stream().mapToInt(List::size).sum();
    int each = buckets / staying.size();
    int remainder = buckets % staying.size();
    long bytes = 0;
    List<Long> savings = new ArrayList<>();
    for (Map.Entry<S, List<Long>> server : held.entrySet()) {
      int kept = staying.contains(server.getKey()) ? each : 0;
      long given = smallest(server.getValue(), kept);
      bytes += given;
      if (staying.contains(server.getKey())) {
        savings.add(given - smallest(server.getValue(), each + 1));
      }
    }
    savings.sort(Collections.reverseOrder());
    int most = Math.min(remainder, savings.size());
    return bytes - IntStream.range(0, most).mapToLong(savings::get).sum();
  }

  /** The bytes of a server's smallest buckets, all but so many. */
  private static long smallest(List<Long> buckets, int kept) {
    return buckets.stream()
        .sorted()
        .limit(Math.max(0, buckets.size() - kept))
        .mapToLong(Long::longValue)
        .sum();
  }
}
