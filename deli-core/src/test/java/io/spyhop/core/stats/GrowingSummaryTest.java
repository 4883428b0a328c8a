package io.spyhop.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.SummaryChange.Kind;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class GrowingSummaryTest {
  private static final ColumnName A = ColumnName.parse("f:a");

  private static byte[] key(long value) {
    return ValueType.LONG.codec().operand(value).key().bytes();
  }

  /** Numbers from 0 on are values, the others what else may be written. */
  private static SummaryChange change(int number) {
    return switch (number) {
      case -1 -> SummaryChange.of(Kind.ABSENT, A);
      case -2 -> SummaryChange.of(Kind.UNDECODABLE, A);
      case -3 -> SummaryChange.of(Kind.UNKEYABLE, A);
      default -> SummaryChange.value(A, key(number));
    };
  }

  @Property(tries = 300)
  void isWhatTheChangesMake(@ForAll List<@IntRange(min = -3, max = 3000) Integer> numbers) {
    for (BloomSize bloom : List.of(BloomSize.OFF, new BloomSize(64), BloomSize.SIZED_TO_DATA)) {
      GrowingSummary grown = new GrowingSummary(ValueType.LONG, bloom, bytes -> true);
      ColumnSummary expected = ColumnSummary.empty(ValueType.LONG, bloom);
      for (int n : numbers) {
        SummaryChange change = change(n);
        ColumnSummary next = change.applyTo(expected);
        boolean contained =
            change.kind() == Kind.VALUE ? grown.contains(change.bytes()) : grown.has(change.kind());
        assertThat(contained).isEqualTo(next.equals(expected));
        if (!contained) {
          grown.apply(change);
        }
        expected = next;
        assertThat(grown.summary()).isEqualTo(expected);
      }
    }
  }

  @Test
  void aFullFilterFindsEverythingBetween() {
    GrowingSummary grown = new GrowingSummary(ValueType.LONG, new BloomSize(64), bytes -> true);
    for (int i = 0; i < 1000; i += 2) {
      grown.apply(change(i));
    }
    assertThat(grown.summary().bloom().used()).isEqualTo(64);
    assertThat(grown.contains(key(501))).isTrue();
    assertThat(grown.contains(key(999))).isFalse();
  }

  /** Once it is said that a key is contained, a summary made afterwards has it. */
  @Test
  void whatIsContainedIsInTheSummary() {
    GrowingSummary grown = new GrowingSummary(ValueType.LONG, new BloomSize(4096), bytes -> true);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> IntStream.range(0, 20_000).forEach(i -> grown.apply(change(i * 7 % 20_000))));
    List<Integer> lost = new ArrayList<>();
    for (int i = 0; !writer.isDone() || i < 20_000; i++) {
      byte[] key = key(i % 20_000);
      if (grown.contains(key)) {
        ColumnSummary s = grown.summary();
        boolean has =
            Bytes.compareTo(s.min(), key) <= 0
                && Bytes.compareTo(s.max(), key) >= 0
                && s.bloom().mightContain(key);
        if (!has) {
          lost.add(i);
        }
      }
    }
    writer.join();
    assertThat(lost).isEmpty();
    assertThat(grown.contains(key(19_999))).isTrue();
  }
}
