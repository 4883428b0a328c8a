package io.spyhop.bench.dynahash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeastMovesTest {
  @Test
  void aServerThatGoesGivesAll() {
    assertThat(
            LeastMoves.bytes(
                Map.of("a", List.of(10L, 20L, 30L), "b", List.of(1L, 2L, 3L), "c", List.of(5L, 7L)),
                Set.of("a", "b")))
        .isEqualTo(12);
  }

  @Test
  void aServerThatComesGetsTheSmallest() {
    Map<String, List<Long>> held =
        Map.of("a", List.of(40L, 10L, 20L, 30L), "b", List.of(4L, 1L, 2L, 3L));
    // 3, 3 and 2.
    assertThat(LeastMoves.bytes(held, Set.of("a", "b", "c"))).isEqualTo(11);
  }

  @Test
  void whoHasMostToLoseKeepsOneMore() {
    Map<String, List<Long>> held = Map.of("a", List.of(10L, 10L), "b", List.of(1L, 1L));
    // 2, 1 and 1.
    assertThat(LeastMoves.bytes(held, Set.of("a", "b", "c"))).isEqualTo(1);
  }

  @Test
  void nothingMovesWhereAllAreEven() {
    Map<String, List<Long>> held = Map.of("a", List.of(9L, 1L), "b", List.of(5L));
    assertThat(LeastMoves.bytes(held, Set.of("a", "b"))).isZero();
  }

  @Test
  void unevenServersThatStayGiveToo() {
    Map<String, List<Long>> held = Map.of("a", List.of(5L, 6L, 7L, 8L), "b", List.of());
    assertThat(LeastMoves.bytes(held, Set.of("a", "b"))).isEqualTo(11);
  }
}
