package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class TrialTest {
  @Test
  void sidesTakeTurns() throws IOException {
    StringBuilder asked = new StringBuilder();
    List<Cost> costs = new Trial(1, 2).costs(0, List.of(side(asked, "a"), side(asked, "b")));
    assertThat(asked).hasToString("ababab");
    assertThat(costs).hasSize(2);
  }

  @Test
  void aTurnLastsSoLong() throws IOException {
    long begin = System.nanoTime();
    StringBuilder asked = new StringBuilder();
    Duration turn = Duration.ofMillis(2);
    new Trial(1, 1, turn, turn).costs(0, List.of(side(asked, "a"), side(asked, "b")));
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(4 * turn.toNanos());
    assertThat(asked.toString()).matches("a+b+a+b+");
  }

  @Test
  void aPreparationComesBeforeEachAnswer() throws IOException {
    StringBuilder asked = new StringBuilder();
    List<Side> sides = List.of(side(asked, "a"), side(asked, "b"));
    new Trial(1, 1).after(() -> asked.append('-')).costs(0, sides);
    assertThat(asked).hasToString("-a-b-a-b");
  }

  private static Side side(StringBuilder asked, String name) {
    return () -> {
      asked.append(name);
      return List.of();
    };
  }

  @Test
  void anotherNumberOfRowsFails() {
    List<Result> answer = new ArrayList<>(List.of(Result.EMPTY_RESULT));
    assertThatThrownBy(() -> new Trial(0, 1).costs(2, List.of(() -> answer)))
        .isInstanceOf(IOException.class)
        .hasMessage("a repeated query found 1 rows, the first time 2");
  }

  @Test
  void aTrialHasARepetition() {
    assertThatThrownBy(() -> new Trial(1, 0)).hasMessageContaining("0 repetitions");
  }
}
