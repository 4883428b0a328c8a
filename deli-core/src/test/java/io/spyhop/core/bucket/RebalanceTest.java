package io.spyhop.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.bucket.Rebalance.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RebalanceTest {
  /** The buckets of some servers, and which of these stay or come. */
  private record Scene(SortedMap<String, List<Bucket>> now, Set<String> staying) {
    List<Move<String>> plan() {
      return Rebalance.plan(now, staying);
    }

    /** After some moves, of the servers that stay. */
    Scene after(List<Move<String>> moves) {
      SortedMap<String, List<Bucket>> then = new TreeMap<>();
      staying.forEach(s -> then.put(s, new ArrayList<>()));
      now.forEach((s, b) -> then.computeIfAbsent(s, any -> new ArrayList<>()).addAll(b));
      for (Move<String> m : moves) {
        assertThat(then.get(m.from()).remove(m.bucket())).as(m + " is from where it is").isTrue();
        then.get(m.to()).add(m.bucket());
      }
      now.keySet().stream()
          .filter(s -> !staying.contains(s))
          .forEach(s -> assertThat(then.remove(s)).as("what server " + s + " keeps").isEmpty());
      return new Scene(then, staying);
    }

    List<Bucket> buckets() {
      return now.values().stream().flatMap(List::stream).sorted().toList();
    }

    long size(Bucket b) {
      return b.normalisedSize(Balance.of(now).globalDepth());
    }

    long moved(List<Move<String>> moves) {
      return moves.stream().mapToLong(m -> size(m.bucket())).sum();
    }
  }

  /** Buckets that came about by splits, on servers at random, of which some go and some come. */
  private static Scene scene(long seed, int splits, int servers) {
    Random random = new Random(seed);
    List<Bucket> buckets = new ArrayList<>(List.of(Bucket.whole()));
    for (int i = 0; i < splits; i++) {
      Bucket split = buckets.remove(random.nextInt(buckets.size()));
      buckets.add(split.depth() < 12 ? split.lower() : split);
      if (split.depth() < 12) {
        buckets.add(split.upper());
      }
    }
    return spread(random, buckets, servers);
  }

  private static Scene spread(Random random, List<Bucket> buckets, int servers) {
    SortedMap<String, List<Bucket>> now = new TreeMap<>();
    Set<String> staying = new TreeSet<>();
    for (int s = 0; s < servers; s++) {
      if (random.nextInt(3) > 0) {
        now.put("s" + s, new ArrayList<>());
      }
      if (random.nextInt(3) > 0) {
        staying.add("s" + s);
      }
    }
    now.putIfAbsent("s0", new ArrayList<>());
    staying.add("s0");
    List<String> holders = List.copyOf(now.keySet());
    for (Bucket b : buckets) {
      now.get(holders.get(random.nextInt(holders.size()))).add(b);
    }
    return new Scene(now, staying);
  }

  @Property(tries = 500)
  void noBucketIsLostAndNoneMovesTwice(
      @ForAll long seed,
      @ForAll @IntRange(max = 40) int splits,
      @ForAll @IntRange(min = 1, max = 6) int servers) {
    Scene scene = scene(seed, splits, servers);
    List<Move<String>> plan = scene.plan();
    assertThat(scene.after(plan).buckets()).isEqualTo(scene.buckets());
    assertThat(plan).extracting(Move::bucket).doesNotHaveDuplicates().isSorted();
    assertThat(plan).allMatch(m -> !m.from().equals(m.to()));
  }

  @Property(tries = 500)
  void theSameQuestionHasTheSameAnswerAndItsResultNone(
      @ForAll long seed,
      @ForAll @IntRange(max = 40) int splits,
      @ForAll @IntRange(min = 1, max = 6) int servers) {
    Scene scene = scene(seed, splits, servers);
    assertThat(scene.plan()).isEqualTo(scene.plan());
    assertThat(scene.after(scene.plan()).plan()).isEmpty();
  }

  /** Where the algorithm ends: the difference is at most the smallest bucket of the fullest. */
  @Property(tries = 500)
  void serversDifferByTheSmallestBucketOfTheFullestAtMost(
      @ForAll long seed,
      @ForAll @IntRange(max = 40) int splits,
      @ForAll @IntRange(min = 1, max = 6) int servers) {
    Scene scene = scene(seed, splits, servers);
    Scene after = scene.after(scene.plan());
    Balance<String> balance = Balance.of(after.now);
    long most = balance.loads().values().stream().mapToLong(l -> l).max().orElseThrow();
    String fullest =
        balance.loads().keySet().stream()
            .filter(s -> balance.loads().get(s) == most)
            .findFirst()
            .orElseThrow();
    long smallest = after.now.get(fullest).stream().mapToLong(after::size).min().orElse(0);
    assertThat(balance.difference()).isLessThanOrEqualTo(smallest);
  }

  /** Buckets of one depth: as even as can be, with as few moves as that takes. */
  @Property(tries = 300)
  void equalBucketsAreMovedAsLittleAsCanBe(
      @ForAll long seed,
      @ForAll @IntRange(max = 3) int depth,
      @ForAll @IntRange(min = 1, max = 3) int servers) {
    Scene scene = spread(new Random(seed), Directory.even(1 << depth).buckets(), servers);
    List<Move<String>> plan = scene.plan();
    assertThat(Balance.of(scene.after(plan).now).difference()).isLessThanOrEqualTo(1);
    assertThat((long) plan.size()).isEqualTo(least(scene, 1));
  }

  /**
   * Buckets of several depths: what moves is at most one bucket more than what would have to for a
   * balance as good.
   */
  @Property(tries = 300)
  void otherBucketsAreMovedAlmostAsLittleAsCanBe(
      @ForAll long seed,
      @ForAll @IntRange(max = 6) int splits,
      @ForAll @IntRange(min = 1, max = 3) int servers) {
    Scene scene = scene(seed, splits, servers);
    List<Move<String>> plan = scene.plan();
    long difference = Balance.of(scene.after(plan).now).difference();
    long largest = scene.buckets().stream().mapToLong(scene::size).max().orElseThrow();
    assertThat(scene.moved(plan)).isLessThanOrEqualTo(least(scene, difference) + largest);
  }

  /** The least that has to be moved, of all assignments whose servers differ by that at most. */
  private static long least(Scene scene, long difference) {
    return least(scene, scene.buckets(), 0, new TreeMap<>(), 0, difference);
  }

  private static long least(
      Scene scene,
      List<Bucket> all,
      int at,
      SortedMap<String, Long> loads,
      long moved,
      long difference) {
    if (at == all.size()) {
      long max =
          scene.staying.stream().mapToLong(s -> loads.getOrDefault(s, 0L)).max().orElseThrow();
      long min =
          scene.staying.stream().mapToLong(s -> loads.getOrDefault(s, 0L)).min().orElseThrow();
      return max - min <= difference ? moved : Long.MAX_VALUE;
    }
    Bucket bucket = all.get(at);
    long size = scene.size(bucket);
    long best = Long.MAX_VALUE;
    for (String server : scene.staying) {
      boolean stays = scene.now.getOrDefault(server, List.of()).contains(bucket);
      loads.merge(server, size, Long::sum);
      best =
          Math.min(best, least(scene, all, at + 1, loads, moved + (stays ? 0 : size), difference));
      loads.merge(server, -size, Long::sum);
    }
    return best;
  }

  @Example
  void aNewServerGetsItsShareAndAServerThatGoesGivesAll() {
    Map<String, List<Bucket>> two = new TreeMap<>();
    List<Bucket> eight = Directory.even(8).buckets();
    two.put("a", eight.subList(0, 4));
    two.put("b", eight.subList(4, 8));
    List<Move<String>> added = Rebalance.plan(two, Set.of("a", "b", "c"));
    assertThat(added).hasSize(2).allMatch(m -> m.to().equals("c"));
    List<Move<String>> gone = Rebalance.plan(two, Set.of("b"));
    assertThat(gone).hasSize(4).allMatch(m -> m.from().equals("a") && m.to().equals("b"));
  }

  /** Depths alone count: a bucket that has been split weighs as much as its two halves. */
  @Example
  void aSplitChangesNothing() {
    Map<String, List<Bucket>> split = new TreeMap<>();
    split.put("a", List.of(new Bucket(0, 1)));
    split.put("b", List.of(new Bucket(1, 2), new Bucket(3, 2)));
    assertThat(Rebalance.plan(split, Set.of("a", "b"))).isEmpty();
    assertThat(Balance.of(split).maxOverMean()).isEqualTo(1);
  }

  @Example
  void badQuestionsAreRefused() {
    Map<String, List<Bucket>> twice =
        Map.of("a", List.of(Bucket.whole()), "b", List.of(Bucket.whole()));
    assertThatThrownBy(() -> Rebalance.plan(twice, Set.of("a")))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("on two servers, a and b");
    assertThatThrownBy(() -> Rebalance.plan(Map.of("a", List.of(Bucket.whole())), Set.of()))
        .hasMessageContaining("no server would be left");
  }
}
