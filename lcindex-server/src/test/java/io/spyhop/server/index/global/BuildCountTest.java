package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionStatus.Build;
import org.junit.jupiter.api.Test;

class BuildCountTest {
  private static final long SECOND = 1_000_000_000;

  private long now;
  private final BuildCount count = new BuildCount(() -> now);

  @Test
  void nothingIsReadBeforeItBegins() {
    now = 5 * SECOND;
    assertThat(count.of(false, 1000)).isEqualTo(new Build(0, 0, 1000, 0));
  }

  @Test
  void whatIsReadIsCountedWithTheTimeItTakes() {
    now = 5 * SECOND;
    count.begin();
    count.read(3, 300);
    count.read(2, 200);
    now = 7 * SECOND;
    assertThat(count.of(false, 1000)).isEqualTo(new Build(5, 500, 1000, 2000));
    count.end();
    assertThat(count.of(false, 1000)).as("interrupted").isEqualTo(new Build(5, 500, 1000, 0));
    now = 60 * SECOND;
    count.begin();
    count.read(1, 100);
    now = 61 * SECOND;
    assertThat(count.of(false, 1000)).as("gone on").isEqualTo(new Build(6, 600, 1000, 3000));
    count.reset();
    assertThat(count.of(false, 1000)).as("to be built again").isEqualTo(new Build(0, 0, 1000, 1));
  }

  @Test
  void whatIsBuiltIsReadWholeAndNothingMoreThanThat() {
    count.begin();
    count.read(9, 1500);
    assertThat(count.of(false, 1000).bytes()).as("cells are larger here").isEqualTo(1000);
    count.end();
    assertThat(count.of(true, 2000)).isEqualTo(new Build(9, 2000, 2000, 0));
  }
}
