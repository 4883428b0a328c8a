package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Flushes end what only the log has, without HBase. */
class LoggedCellsTest {
  private final LoggedCells cells = new LoggedCells();

  private static Entry entry(int n) {
    return new Entry(Bytes.toBytes("v" + n), Bytes.toBytes("r"), n);
  }

  private void flush(String... families) {
    cells.flushing();
    for (String f : families) {
      cells.written(f);
    }
    cells.flushed();
  }

  @Test
  void aFlushThatBeganAfterwardsEndsIt() {
    cells.flushing();
    cells.dropped("f", entry(1));
    cells.dropped("g", entry(2));
    cells.written("f");
    cells.flushed();
    assertThat(cells.mayHave("f", entry(1))).as("the flush had begun before").isTrue();
    long now = cells.generation();
    flush("f");
    assertThat(cells.mayHave("f", entry(1))).isFalse();
    assertThat(cells.isOver("f", now)).isTrue();
    assertThat(cells.mayHave("g", entry(2))).as("of another family").isTrue();
    assertThat(cells.isOver("g", now)).isFalse();
    flush("f", "g");
    assertThat(cells.mayHave("g", entry(2))).isFalse();
  }

  @Test
  void aFlushThatWasNotMadeEndsNothing() {
    cells.dropped("f", entry(1));
    long now = cells.generation();
    cells.flushing();
    CompletableFuture.runAsync(() -> flush()).join();
    assertThat(cells.mayHave("f", entry(1))).isTrue();
    cells.flushed();
    cells.written("f");
    cells.flushed();
    assertThat(cells.mayHave("f", entry(1))).isTrue();
    assertThat(cells.isOver("f", now)).isFalse();
  }

  @Test
  void whatNobodyKnowsIsEverything() {
    assertThat(cells.mayHave("f", entry(1))).isFalse();
    cells.lost("f");
    assertThat(cells.mayHave("f", entry(1))).isTrue();
    flush("f");
    assertThat(cells.mayHave("f", entry(1))).isFalse();
    cells.flushing();
    cells.lost("f");
    cells.written("f");
    cells.flushed();
    assertThat(cells.mayHave("f", entry(1))).isTrue();
  }

  /** Flushes of other families begin generations, too. */
  @Test
  void nothingIsForgottenInManyGenerations() {
    for (int i = 0; i < 50; i++) {
      cells.dropped("f", entry(i));
      flush("g");
    }
    for (int i = 0; i < 50; i++) {
      assertThat(cells.mayHave("f", entry(i))).isTrue();
    }
    cells.flushing();
    cells.dropped("f", entry(50));
    cells.written("f");
    cells.flushed();
    assertThat(cells.mayHave("f", entry(50))).isTrue();
    flush("f");
    assertThat(cells.mayHave("f", entry(50))).isFalse();
  }

  /** Otherwise entries would wait for flush after flush. */
  @Test
  void whatWasNotDroppedIsSeldomTakenForIt() {
    for (int i = 0; i < 100_000; i++) {
      cells.dropped("f", entry(i));
    }
    int wrong = 0;
    for (int i = 100_000; i < 110_000; i++) {
      wrong += cells.mayHave("f", entry(i)) ? 1 : 0;
    }
    assertThat(wrong).isLessThan(300);
  }
}
