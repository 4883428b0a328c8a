package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.QueryCancelledException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.DataContext;
import org.apache.calcite.DataContexts;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeptRowsTest {
  /** For each row of a join's left side they are asked for again. */
  @Test
  void rowsAreReadOnce() {
    List<String> rows = Arrays.asList("a", null, "b");
    AtomicInteger reads = new AtomicInteger();
    Enumerable<String> kept =
        KeptRows.of(
            new AbstractEnumerable<String>() {
              @Override
              public Enumerator<String> enumerator() {
                reads.incrementAndGet();
                return Linq4j.enumerator(rows);
              }
            });
    assertThat(reads).hasValue(0);
    for (int i = 0; i < 3; i++) {
      assertThat(kept.toList()).isEqualTo(rows);
    }
    assertThat(reads).hasValue(1);
  }

  /** A loop over rows that are kept asks nobody else. */
  @Test
  @Timeout(60)
  void loopsEnd() {
    AtomicBoolean cancelled = new AtomicBoolean();
    KeptReads reads = new KeptReads(context -> Linq4j.asEnumerable(List.of("a")));
    DataContext run = DataContexts.of(Map.of("cancelFlag", cancelled));
    assertThat(reads.rows(run)).hasSize(1);
    cancelled.set(true);
    assertThatThrownBy(() -> reads.rows(run)).hasMessage("the statement was cancelled");
    DataContext soon = DataContexts.of(Map.of("timeout", 20L));
    assertThatThrownBy(
            () -> {
              while (true) {
                reads.rows(soon);
              }
            })
        .hasCauseInstanceOf(QueryCancelledException.class);
  }
}
