package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistencyTest {
  @ParameterizedTest
  @ValueSource(strings = {"strict", "batched", "bounded:0", "bounded:1500"})
  void isReadAsItIsShown(String text) {
    assertThat(Consistency.parse(text)).hasToString(text);
    assertThat(Consistency.parse(text.toUpperCase(java.util.Locale.ROOT)))
        .isEqualTo(Consistency.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "eventual", "bounded", "bounded:", "bounded:x", "bounded:-1"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Consistency.parse(text)).isInstanceOf(InvalidQueryException.class);
  }

  @Test
  void queriesAreStrictAndPrunedUnlessTheySayOtherwise() {
    Query query = Query.where("price = 1");
    assertThat(query.consistency()).isEqualTo(Consistency.STRICT);
    assertThat(query.pruning()).isTrue();
    Query other =
        query.consistency(Consistency.bounded(Duration.ofSeconds(1))).pruning(false).limit(3);
    assertThat(other.consistency().staleness()).isEqualTo(Duration.ofSeconds(1));
    assertThat(other).asString().endsWith("LIMIT 3 CONSISTENCY bounded:1000 UNPRUNED");
  }
}
