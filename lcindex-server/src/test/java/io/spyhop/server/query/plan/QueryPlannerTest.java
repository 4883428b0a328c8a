package io.spyhop.server.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import org.junit.jupiter.api.Test;

class QueryPlannerTest {
  /** Plans are kept for reports, and on the wire a text has 65,535 bytes at most. */
  @Test
  void whatIsSaidOfAHintIsShort() {
    String longest = "a".repeat(IndexDefinition.MAX_NAME);
    assertThat(QueryPlanner.shown(longest)).isEqualTo(longest);
    assertThat(QueryPlanner.shown(longest + "b".repeat(1_000_000)))
        .isEqualTo(longest + "... (1000064 characters)");
  }
}
