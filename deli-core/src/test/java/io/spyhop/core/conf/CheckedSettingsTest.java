package io.spyhop.core.conf;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedSettingsTest {
  private final Configuration conf = new Configuration(false);
  private final CheckedSettings settings = new CheckedSettings(conf);

  private CheckedSettings with(String value) {
    conf.set("k", value);
    return settings;
  }

  @Test
  void allowedOnesAreTaken() {
    assertThat(with(" 3 ").integer("k", 1, 0, 3)).isEqualTo(3);
    assertThat(with("0").integer("k", 1, 0, 3)).isZero();
    assertThat(with("0x10").memory("k", 1, 0)).isEqualTo(16);
    assertThat(with("60000").millis("k", 1, 0)).isEqualTo(60_000);
    assertThat(with("2.5").decimal("k", 1, 0, 3)).isEqualTo(2.5);
    assertThat(with("TRUE ").flag("k", false)).isTrue();
    assertThat(with("false").flag("k", true)).isFalse();
    assertThat(with(" a ").text("k", "b", "a", "a"::equals)).isEqualTo("a");
  }

  @Test
  void absentOnesHaveTheirDefaults() {
    assertThat(settings.integer("k", 7, 0, 3)).isEqualTo(7);
    assertThat(settings.decimal("k", 7, 0, 3)).isEqualTo(7);
    assertThat(settings.flag("k", true)).isTrue();
    assertThat(settings.text("k", "b", "a", "a"::equals)).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "x", "-1", "0", "4", "NaN", "1e99", "9999999999999999999999"})
  void othersHaveTheirDefaults(String wrong) {
    with(wrong);
    assertThat(settings.integer("k", 2, 1, 3)).isEqualTo(2);
    assertThat(settings.decimal("k", 2, 1, 3)).isEqualTo(2);
    assertThat(settings.flag("k", true)).isTrue();
    assertThat(settings.text("k", "b", "a", "a"::equals)).isEqualTo("b");
  }

  @Test
  void neitherMoreMemoryThanTheHeapNorMoreTimeThanAYear() {
    with(Long.toString(Long.MAX_VALUE));
    assertThat(settings.memory("k", 5, 1)).isEqualTo(5);
    assertThat(settings.millis("k", 5, 1)).isEqualTo(5);
  }
}
