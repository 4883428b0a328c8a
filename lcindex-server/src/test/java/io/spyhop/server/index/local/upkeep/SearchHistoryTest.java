package io.spyhop.server.index.local.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Searches for index files elsewhere begin and end in time. */
class SearchHistoryTest {
  private static final String HFILE = "0123456789abcdef0123456789abcdef";
  private static final String REFERENCE = HFILE + ".fedcba9876543210fedcba9876543210";
  private static final String LINK = "table=fedcba9876543210fedcba9876543210-" + HFILE;
  private static final IndexDefinition OLD = index();
  private static final IndexDefinition NEW = index();

  private final SearchHistory local = new SearchHistory(false, List.of(OLD));
  private final SearchHistory shared = new SearchHistory(true, List.of(OLD));

  private static IndexDefinition index() {
    return IndexDefinition.builder("i").column("f:q").type(ValueType.LONG).build();
  }

  @Test
  void whatMayExist() {
    assertThat(local.isWorthwhile(HFILE, List.of(OLD))).as("flushed here").isFalse();
    for (String borrowed : List.of(REFERENCE, LINK)) {
      assertThat(local.isWorthwhile(borrowed, List.of(OLD))).isTrue();
      assertThat(shared.isWorthwhile(borrowed, List.of(OLD))).isTrue();
      assertThat(local.isWorthwhile(borrowed, List.of(NEW))).as("created since").isFalse();
    }
    local.inherit(Set.of(HFILE));
    shared.inherit(Set.of(HFILE));
    assertThat(local.isWorthwhile(HFILE, List.of(OLD, NEW))).isTrue();
    assertThat(local.isWorthwhile(HFILE, List.of(NEW))).isFalse();
    assertThat(shared.isWorthwhile(HFILE, List.of(OLD))).as("it would be in place").isFalse();
  }

  @Test
  void onceInVainIsEnough() {
    local.begin(Set.of(REFERENCE), 100);
    assertThat(local.end(REFERENCE, false, 101, 1_000)).isTrue();
    assertThat(local.isWorthwhile(REFERENCE, List.of(OLD))).isFalse();
  }

  @Test
  void whatMayTurnUpIsWaitedForAWhile() {
    local.begin(Set.of(REFERENCE), 100);
    assertThat(local.end(REFERENCE, true, 1_099, 1_000)).isFalse();
    assertThat(local.isWorthwhile(REFERENCE, List.of(OLD))).isTrue();
    local.begin(Set.of(REFERENCE), 1_099);
    assertThat(local.end(REFERENCE, true, 1_100, 1_000)).isTrue();
    assertThat(local.isWorthwhile(REFERENCE, List.of(OLD))).isFalse();
  }
}
