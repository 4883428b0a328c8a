package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.junit.jupiter.api.Test;

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
}
