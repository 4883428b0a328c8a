package io.spyhop.client.internal.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LargeAnswersTest {
  private static final SchemaResolver COLUMNS =
      new SchemaResolver(
          "t",
          IndexSchema.of(List.of(index("a", ValueType.LONG), index("s", ValueType.STRING))),
          List.of("f"));

  private final AtomicLong nanos = new AtomicLong();
  private final LargeAnswers large = new LargeAnswers(nanos::get);

  private static IndexDefinition index(String name, ValueType type) {
    return IndexDefinition.builder(name).column("f:" + name).type(type).build();
  }

  private static BoundPredicate bound(Predicate predicate) {
    return Binder.bind(predicate, COLUMNS);
  }

  private boolean isExpected(Predicate predicate) {
    return large.isExpected(bound(predicate));
  }

  @Test
  void ofConditionsThatLetAsMuchPass() {
    assertThat(isExpected(column("a").between(0L, 1_000L))).isFalse();
    large.add(bound(column("a").between(0L, 1_000L)));
    assertThat(isExpected(column("a").between(5_000L, 6_000L))).isTrue();
    assertThat(isExpected(column("a").between(0L, 600L))).isTrue();
    assertThat(isExpected(column("a").ge(0L))).isTrue();
    assertThat(isExpected(column("a").between(0L, 400L))).isFalse();
    assertThat(isExpected(column("a").eq(7L))).isFalse();
    assertThat(isExpected(column("s").eq("x"))).as("another column").isFalse();
    large.add(bound(column("a").between(0L, 400L)));
    assertThat(isExpected(column("a").between(0L, 400L))).isTrue();
    large.add(bound(column("a").ge(0L)));
    assertThat(isExpected(column("a").between(0L, 400L))).as("the least counts").isTrue();
  }

  @Test
  void byAllColumnsTogether() {
    Predicate some = column("s").eq("x");
    large.add(bound(column("a").between(0L, 1_000L).and(some)));
    assertThat(isExpected(column("a").between(0L, 1_000L).and(column("s").eq("y")))).isTrue();
    assertThat(isExpected(column("a").between(0L, 100L).and(some))).isFalse();
    assertThat(isExpected(column("a").in(1L, 2L).and(some))).isFalse();
    assertThat(isExpected(column("a").lt(100L).or(some))).as("no column is bounded").isTrue();
  }

  @Test
  void forAWhile() {
    Predicate any = column("a").ge(0L);
    large.add(bound(any));
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertThat(isExpected(any)).isTrue();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(isExpected(any)).isFalse();
  }
}
