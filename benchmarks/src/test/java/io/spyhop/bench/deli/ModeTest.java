package io.spyhop.bench.deli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ModeTest {
  @Test
  void tablesTakeTurns() {
    List<Mode> modes = List.of(Mode.values());
    assertThat(Mode.inTurn(modes, 0)).containsExactly(Mode.NONE, Mode.DEFERRED, Mode.SYNC);
    assertThat(Mode.inTurn(modes, 1)).containsExactly(Mode.SYNC, Mode.DEFERRED, Mode.NONE);
  }
}
