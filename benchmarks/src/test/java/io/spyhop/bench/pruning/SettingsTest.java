package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final Settings DEFAULT = Settings.of(false, 1, 1_000, 256, 1_024, 500);

  @Test
  void hasThePapersSeries() {
    assertThat(DEFAULT.intervals()).startsWith(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(DEFAULT.partitionSizes()).hasSize(5).contains(256).allMatch(kb -> kb <= 256);
    assertThat(DEFAULT.memstorePercents()).containsExactly(0, 10, 30, 50);
  }

  /** Ages that are intervals, too, have bars beside each other. */
  @Test
  void levelsCanBeCompared() {
    assertThat(DEFAULT.intervals()).containsAll(DEFAULT.bounds());
    Settings quick = Settings.of(true, 1, 1_000, 256, 1_024, 500);
    assertThat(quick.intervals()).containsAll(quick.bounds());
  }

  @Test
  void whatIsSaidReplacesTheDefault() {
    assertThat(DEFAULT.with(Optional.of(0.5), Optional.empty()).seconds()).isEqualTo(0.5);
    assertThat(DEFAULT.with(Optional.empty(), Optional.of(7)).rounds()).isEqualTo(7);
    assertThat(DEFAULT.with(Optional.empty(), Optional.empty())).isEqualTo(DEFAULT);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> Settings.of(false, 0, 1, 256, 1_024, 500))
        .hasMessageContaining("scale 0.0");
    assertThatThrownBy(() -> Settings.of(false, 1, 1, 256, 1_000, 500))
        .hasMessageContaining("bloom=1000");
    assertThatThrownBy(() -> DEFAULT.with(Optional.of(0.0), Optional.empty()))
        .hasMessageContaining("seconds 0.0");
  }
}
