package io.spyhop.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {
  private static final Row REPORT =
      Row.of("settings", Row.of("rows", 4).and("label", "few"))
          .and("queries", List.of(Map.of("ms", 3.5, "base", 0), Row.of("ms", 7).and("base", 2)));

  @Test
  void figuresKeepTheirOrder() {
    assertThat(Row.of("b", 1).and("a", 2).and(Row.of("c", 3)).and("b", 4).keySet())
        .containsExactly("b", "a", "c");
  }

  @Test
  void pathsLeadIntoRows() {
    assertThat(REPORT.number("settings/rows")).isEqualTo(4);
    assertThat(REPORT.text("settings/label")).isEqualTo("few");
    assertThat(REPORT.row("settings").number("rows")).isEqualTo(4);
    assertThat(REPORT.rows("queries")).extracting(q -> q.number("ms")).containsExactly(3.5, 7.0);
  }

  @Test
  void whatIsNotThereIsNoNumber() {
    assertThat(REPORT.number("settings/label")).isNaN();
    assertThat(REPORT.number("nothing/here")).isNaN();
    assertThat(REPORT.at("nothing/here")).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> REPORT.rows("settings/rows"))
        .withMessage("'settings/rows' is no list");
    assertThatIllegalArgumentException().isThrownBy(() -> REPORT.row("nothing"));
  }

  @Test
  void ratiosNeedABase() {
    assertThat(REPORT.rows("queries")).extracting(q -> q.ratio("ms", "base")).contains(3.5);
    assertThat(REPORT.rows("queries").get(0).ratio("ms", "base")).isNaN();
  }

  @Test
  void oneDifferenceWithinIsEnough() {
    Row equal = Row.of("equal", true);
    assertThat(Row.of("a", List.of(equal, equal)).and("b", equal).allEqual()).isTrue();
    Row different = Row.of("equal", false);
    assertThat(Row.of("a", List.of(equal, Map.of("b", different))).allEqual()).isFalse();
    assertThat(different.allEqual()).isFalse();
  }
}
