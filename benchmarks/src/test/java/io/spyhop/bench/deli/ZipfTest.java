package io.spyhop.bench.deli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
  private static final int N = 1_000;
  private static final int DRAWS = 200_000;

  private static int[] counts(Zipf zipf, int draws) {
    SplittableRandom random = new SplittableRandom(1);
    int[] counts = new int[N];
    for (int i = 0; i < draws; i++) {
      counts[zipf.draw(random)]++;
    }
    return counts;
  }

  @Test
  void drawsEachNumberAsOftenAsItsRankSays() {
    Zipf zipf = new Zipf(N, 0.99, 7);
    int[] counts = counts(zipf, DRAWS);
    for (int rank : new int[] {0, 1, 2, 5, 10, 100}) {
      double expected = zipf.share(rank) * DRAWS;
      assertThat((double) counts[zipf.number(rank)])
          .as("rank %d", rank)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void sharesFallWithTheRankAndAddUp() {
    Zipf zipf = new Zipf(N, 0.99, 7);
    assertThat(zipf.share(0) / zipf.share(1)).isCloseTo(Math.pow(2, 0.99), within(1e-9));
    assertThat(zipf.share(0) / zipf.share(9)).isCloseTo(Math.pow(10, 0.99), within(1e-9));
    assertThat(IntStream.range(0, N).mapToDouble(zipf::share).sum()).isCloseTo(1, within(1e-9));
  }

  @Test
  void exponentZeroDrawsAllAlike() {
    Zipf zipf = new Zipf(N, 0, 7);
    assertThat(zipf.share(0)).isCloseTo(zipf.share(N - 1), within(1e-12));
    assertThat(Arrays.stream(counts(zipf, DRAWS))).allMatch(c -> c > 0);
  }

  @Test
  void everyNumberHasOneRank() {
    Zipf zipf = new Zipf(N, 0.99, 7);
    assertThat(IntStream.range(0, N).map(zipf::number).distinct().count()).isEqualTo(N);
  }

  @Test
  void sameSeedsDrawTheSame() {
    assertThat(counts(new Zipf(N, 0.99, 7), 1_000)).isEqualTo(counts(new Zipf(N, 0.99, 7), 1_000));
    assertThat(counts(new Zipf(N, 0.99, 7), 1_000))
        .isNotEqualTo(counts(new Zipf(N, 0.99, 8), 1_000));
  }

  @Test
  void oneNumberIsAlwaysDrawn() {
    assertThat(new Zipf(1, 0.99, 7).draw(new SplittableRandom(1))).isZero();
  }

  @Test
  void refusesWhatIsNoDistribution() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(0, 1, 7));
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(10, -1, 7));
  }
}
