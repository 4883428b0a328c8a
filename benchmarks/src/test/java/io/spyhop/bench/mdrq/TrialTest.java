package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class TrialTest {
  @Test
  void medianIsTheMiddle() {
    assertThat(Trial.median(new double[] {9, 1, 5})).isEqualTo(5);
    assertThat(Trial.median(new double[] {9, 1, 5, 7})).isEqualTo(6);
  }

  @Test
  void sidesTakeTurns() throws IOException {
    StringBuilder asked = new StringBuilder();
    double[] millis = new Trial(1, 2).medians(0, List.of(side(asked, "a"), side(asked, "b")));
    assertThat(asked).hasToString("ababab");
    assertThat(millis).hasSize(2);
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
    assertThatThrownBy(() -> new Trial(0, 1).medians(2, List.of(() -> answer)))
        .isInstanceOf(IOException.class)
        .hasMessage("a repeated query found 1 rows, the first time 2");
  }

  @Test
  void aTrialHasARepetition() {
    assertThatThrownBy(() -> new Trial(1, 0)).hasMessageContaining("0 repetitions");
  }
}
