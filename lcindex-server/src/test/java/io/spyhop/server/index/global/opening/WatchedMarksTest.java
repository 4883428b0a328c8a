package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.BuiltRanges.Range;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** The parts of hbase:meta's word that count, and for how long; without HBase. */
class WatchedMarksTest {
  private static final ServerName HERE = ServerName.valueOf("here", 1, 100);

  private final AtomicLong nanos = new AtomicLong(-Duration.ofHours(1).toNanos());
  private final Set<OpeningMark> open = new HashSet<>();
  private final List<List<OpeningMark>> asked = new ArrayList<>();
  private boolean away;

  private final WatchedMarks marks =
      new WatchedMarks(
          new LiveServers(() -> List.of(HERE.toString()), nanos::get), this::present, nanos::get);

  private Set<OpeningMark> present(List<OpeningMark> some) throws IOException {
    asked.add(some);
    if (away) {
      throw new IOException("away");
    }
    Set<OpeningMark> present = new HashSet<>(some);
    present.retainAll(open);
    return present;
  }

  private static OpeningMark mark(int number) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t")).setRegionId(number).build();
    Range all = new Range(region.getStartKey(), region.getEndKey());
    return new OpeningMark(number, region.getRegionName(), all, HERE, 5, true, 0, number);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void whatWasConfirmedCountsForALeaseWhereNobodyAnswers() throws Exception {
    OpeningMark mark = mark(1);
    open.add(mark);
    assertThat(marks.among(List.of(mark))).containsExactly(mark);
    away = true;
    for (int i = 0; i < 6; i++) {
      pass(Duration.ofSeconds(3));
      assertThat(marks.among(List.of(mark))).as("after %s s", 3 * i + 3).containsExactly(mark);
    }
    for (int i = 0; i < 20; i++) {
      pass(Duration.ofSeconds(3));
      assertThat(marks.among(List.of(mark))).as("after %s s", 3 * i + 21).isEmpty();
    }
    away = false;
    pass(Duration.ofSeconds(3));
    assertThat(marks.among(List.of(mark))).containsExactly(mark);
  }

  /** Who has been told that an index is active must find it so. */
  @Test
  void aRefusalThatWasAskedForEarlierHidesNoConfirmation() throws Exception {
    OpeningMark mark = mark(1);
    List<WatchedMarks> late = new ArrayList<>();
    List<Set<OpeningMark>> between = new ArrayList<>();
    IoFunction<List<OpeningMark>, Set<OpeningMark>> meta =
        some -> {
          if (!between.isEmpty()) {
            return Set.copyOf(some);
          }
          between.add(Set.of());
          between.add(late.get(0).among(List.of(mark)));
          return Set.of();
        };
    late.add(
        new WatchedMarks(
            new LiveServers(() -> List.of(HERE.toString()), nanos::get), meta, nanos::get));
    assertThat(late.get(0).among(List.of(mark))).as("asked before it was open").isEmpty();
    assertThat(between.get(1)).as("asked when it was").containsExactly(mark);
    assertThat(late.get(0).among(List.of(mark))).containsExactly(mark);
  }

  @Test
  void whatIsConfirmedLaterDoesNotProlongWhatWasBefore() throws Exception {
    OpeningMark first = mark(1);
    OpeningMark second = mark(2);
    open.addAll(List.of(first, second));
    marks.among(List.of(first));
    pass(Duration.ofSeconds(9));
    marks.among(List.of(first, second));
    open.remove(first);
    pass(Duration.ofSeconds(2));
    assertThat(marks.among(List.of(first, second))).containsExactly(second);
  }

  @Test
  void whatWasRefusedIsNotAskedForAtEveryQuestion() throws Exception {
    OpeningMark gone = mark(1);
    OpeningMark here = mark(2);
    open.add(here);
    for (int i = 0; i < 1_000; i++) {
      assertThat(marks.among(List.of(gone, here))).containsExactly(here);
      pass(Duration.ofMillis(10));
    }
    assertThat(asked.size()).as("questions within 10 s").isLessThan(15);
    open.add(gone);
    pass(Duration.ofSeconds(2));
    assertThat(marks.among(List.of(gone, here))).containsExactlyInAnyOrder(gone, here);
  }

  @Test
  void aRegionThatIsNewIsAskedForAgainSoon() throws Exception {
    OpeningMark mark = mark(1);
    assertThat(marks.among(List.of(mark))).isEmpty();
    open.add(mark);
    assertThat(marks.among(List.of(mark))).isEmpty();
    pass(Duration.ofMillis(50));
    assertThat(marks.among(List.of(mark))).containsExactly(mark);
  }
}
