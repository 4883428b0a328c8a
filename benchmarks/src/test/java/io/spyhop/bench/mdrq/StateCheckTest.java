package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.bench.mdrq.Servers.Contents;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateCheckTest {
  private static Contents region(int hfiles, long cells) {
    return new Contents("r", hfiles, 1_000, cells, 100 * cells);
  }

  private static void require(State state, long cells, Contents... regions) throws IOException {
    StateCheck.require(Twins.INDEXED, state.load(), List.of(regions), cells);
  }

  private static void shouldRefuse(String why, State state, long cells, Contents... regions) {
    assertThatThrownBy(() -> require(state, cells, regions))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("table 'orders_indexed' is not in the state")
        .hasMessageContaining(why)
        .hasMessageContaining("memory");
  }

  @Test
  void asLoadedIsAsWanted() {
    assertThatCode(() -> require(State.SHUFFLED, 0, region(5, 0), region(5, 0)))
        .doesNotThrowAnyException();
    assertThatCode(() -> require(State.MEMSTORE_10, 30, region(1, 10), region(1, 20)))
        .doesNotThrowAnyException();
  }

  @Test
  void oneCompactedRegionIsSeen() {
    shouldRefuse("1 HFiles, not 5", State.SHUFFLED, 0, region(5, 0), region(1, 0));
  }

  @Test
  void aFlushInTheMiddleIsSeen() {
    shouldRefuse("2 HFiles, not 1", State.MEMSTORE_50, 30, region(1, 20), region(2, 10));
    shouldRefuse("20 cells are in memstores, not 30", State.MEMSTORE_50, 30, region(1, 20));
  }

  @Test
  void howManyHFilesHBaseMakesOnItsOwnIsItsBusiness() {
    assertThatCode(() -> require(State.FLUSHED, 0, region(3, 0))).doesNotThrowAnyException();
    shouldRefuse("0 HFiles", State.FLUSHED, 0, region(0, 0));
  }

  @Test
  void statesHaveNames() {
    for (State state : State.values()) {
      assertThat(State.of(state.label())).contains(state);
    }
    assertThat(State.of("warm")).isEmpty();
  }
}
