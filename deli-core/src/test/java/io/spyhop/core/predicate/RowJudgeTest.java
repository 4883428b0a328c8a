package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowJudgeTest {
  private static final byte[] SEVEN = Bytes.toBytes(7L);
  private static final byte[] EIGHT = Bytes.toBytes(8L);

  private static RowJudge judge() {
    SchemaResolver any = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));
    return Binder.bind(Predicates.column("f:n", ValueType.LONG).eq(7), any).judge();
  }

  @Test
  void theFirstRowNeedsNoReset() {
    RowJudge judge = judge();
    assertThat(judge.matches()).isFalse();
    assertThat(judge.offer(0, SEVEN, 0, SEVEN.length)).isTrue();
    assertThat(judge.matches()).isTrue();
  }

  @Test
  void theNewestVersionCounts() {
    RowJudge judge = judge();
    judge.offer(0, SEVEN, 0, SEVEN.length);
    judge.offer(0, EIGHT, 0, EIGHT.length);
    assertThat(judge.matches()).isTrue();
    judge.reset();
    assertThat(judge.matches()).as("nothing of the row before").isFalse();
    assertThat(judge.offer(0, EIGHT, 0, EIGHT.length)).isFalse();
    judge.offer(0, SEVEN, 0, SEVEN.length);
    assertThat(judge.matches()).isFalse();
  }
}
