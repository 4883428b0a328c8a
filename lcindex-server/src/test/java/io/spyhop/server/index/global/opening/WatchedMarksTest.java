package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.BuiltLease;
import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import io.spyhop.server.index.global.opening.ReportedOpenings.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The marks that count, and for how long; without HBase. All rows are built. */
class WatchedMarksTest {
  private static final ServerName HERE = ServerName.valueOf("here", 1, 100);
  private static final ServerName THERE = ServerName.valueOf("there", 1, 100);

  private final AtomicLong nanos = new AtomicLong(-Duration.ofHours(1).toNanos());
  private final Map<OpeningMark, Presence> present = new HashMap<>();
  private final List<Collection<OpeningMark>> asked = new ArrayList<>();
  private final List<Runnable> aside = new ArrayList<>();
  private final List<String> living = new ArrayList<>(List.of(HERE.toString(), THERE.toString()));
  private Predicate<ServerName> watching;
  private ControlNotes notes = notes();
  private boolean away;

  private final WatchedMarks marks =
      new WatchedMarks(
          () -> notes,
          new LiveServers(() -> List.copyOf(living), nanos::get),
          this::present,
          aside::add,
          nanos::get);

  private Map<OpeningMark, Presence> present(
      Collection<OpeningMark> some, Predicate<ServerName> watches) throws IOException {
    asked.add(some);
    watching = watches;
    if (away) {
      throw new IOException("away");
    }
    Map<OpeningMark, Presence> found = new HashMap<>(present);
    found.keySet().retainAll(some);
    return found;
  }

  private static ControlNotes notes(OpeningMark... marks) {
    Built all = new Built(1, new Range(new byte[0], new byte[0]));
    return ControlNotes.of(OptionalLong.empty(), List.of(all), List.of(marks));
  }

  /** The first half of the table, or the second. */
  private static OpeningMark mark(String start, String end) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .build();
    Range rows = new Range(region.getStartKey(), region.getEndKey());
    return new OpeningMark(5, region.getRegionName(), rows, HERE, 7, true, 0, 1);
  }

  private String built() throws IOException {
    pass(Duration.ofNanos(1));
    return marks.built().ranges().toString();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void runAside() {
    List.copyOf(aside).forEach(Runnable::run);
    aside.clear();
  }

  @Test
  void whatWasConfirmedCountsForALeaseWhereNobodyAnswers() throws Exception {
    OpeningMark mark = mark("", "");
    notes = notes(mark);
    present.put(mark, Presence.OPEN);
    assertThat(built()).isEqualTo("[[, )]");
    away = true;
    for (int i = 0; i < 6; i++) {
      pass(Duration.ofSeconds(3));
      assertThat(built()).as("after %s s", 3 * i + 3).isEqualTo("[[, )]");
      runAside();
    }
    for (int i = 0; i < 20; i++) {
      pass(Duration.ofSeconds(3));
      assertThat(built()).as("after %s s", 3 * i + 21).isEqualTo("[]");
    }
    away = false;
    pass(Duration.ofSeconds(3));
    assertThat(built()).isEqualTo("[[, )]");
  }

  @Test
  void aSettledTableIsAskedForNowAndThen() throws Exception {
    notes = notes(mark("", "m"), mark("m", ""));
    notes.marks().forEach(m -> present.put(m, Presence.OPEN));
    for (int i = 0; i < 10_000; i++) {
      assertThat(built()).isEqualTo("[[, )]");
      runAside();
      pass(Duration.ofMillis(10));
    }
    assertThat(asked.size()).as("questions within 100 s").isLessThan(12);
  }

  @Test
  void whatIsConfirmedLaterDoesNotProlongWhatWasBefore() throws Exception {
    OpeningMark first = mark("", "m");
    OpeningMark second = mark("m", "");
    notes = notes(first);
    present.put(first, Presence.OPEN);
    assertThat(built()).isEqualTo("[[, m)]");
    pass(Duration.ofSeconds(9));
    notes = notes(first, second);
    present.put(second, Presence.OPEN);
    assertThat(built()).isEqualTo("[[, )]");
    present.remove(first);
    pass(Duration.ofSeconds(2));
    assertThat(built()).isEqualTo("[[, )]");
    runAside();
    assertThat(built()).isEqualTo("[[m, )]");
  }

  /** Another server believes what lasts for a moment, and what is in motion not at all. */
  @Test
  void whatLastsIsLeased() throws Exception {
    OpeningMark mark = mark("", "");
    notes = notes(mark);
    present.put(mark, Presence.OPEN);
    assertThat(marks.leased(Leases.TERM).nanos()).isEqualTo(Leases.TERM.toNanos());
    notes = notes(mark.closing());
    present.put(mark.closing(), Presence.MOVING);
    pass(Duration.ofNanos(1));
    BuiltLease moving = marks.leased(Leases.TERM);
    assertThat(moving.built().isComplete()).isTrue();
    assertThat(moving.nanos()).isZero();
  }

  @Test
  void aNoteIsNotAcknowledgedWhileAnAnswerFromBeforeIsBelieved() throws Exception {
    OpeningMark mark = mark("", "");
    notes = notes(mark);
    present.put(mark, Presence.OPEN);
    Leases leases = new Leases(marks, nanos::get);
    leases.await();
    BuiltLease lease = leases.grant();
    CompletableFuture<Void> acknowledged = CompletableFuture.runAsync(leases::await);
    pass(Duration.ofNanos(lease.nanos()));
    assertThat(acknowledged).isNotDone();
    pass(Leases.TERM);
    acknowledged.get();
    leases.end();
    assertThatThrownBy(leases::grant).isInstanceOf(NotServingRegionException.class);
  }

  @Test
  void whatWasRefusedIsNotAskedForAtEveryQuestion() throws Exception {
    OpeningMark gone = mark("", "m");
    OpeningMark here = mark("m", "");
    notes = notes(gone, here);
    present.put(here, Presence.OPEN);
    for (int i = 0; i < 1_000; i++) {
      assertThat(built()).isEqualTo("[[m, )]");
      pass(Duration.ofMillis(10));
    }
    assertThat(asked.size()).as("questions within 10 s").isLessThan(15);
    present.put(gone, Presence.OPEN);
    pass(Duration.ofSeconds(2));
    assertThat(built()).isEqualTo("[[, )]");
  }

  @Test
  void aRegionThatIsNewIsAskedForAgainSoon() throws Exception {
    OpeningMark mark = mark("", "");
    notes = notes(mark);
    assertThat(built()).isEqualTo("[]");
    present.put(mark, Presence.OPEN);
    assertThat(built()).isEqualTo("[]");
    pass(Duration.ofMillis(50));
    assertThat(built()).isEqualTo("[[, )]");
  }

  /** It may be open elsewhere at the next question, where nobody watches it. */
  @Test
  void aRegionInMotionIsAskedForAtEachQuestion() throws Exception {
    OpeningMark stays = mark("", "m");
    OpeningMark moves = mark("m", "");
    notes = notes(stays, moves);
    notes.marks().forEach(m -> present.put(m, Presence.OPEN));
    assertThat(built()).isEqualTo("[[, )]");
    OpeningMark closing = moves.closing();
    present.put(closing, Presence.OPEN);
    notes = notes(stays, closing);
    for (int i = 0; i < 5; i++) {
      asked.clear();
      assertThat(built()).isEqualTo("[[, )]");
      assertThat(asked).containsExactly(List.of(closing));
      assertThat(watching).accepts(HERE).rejects(THERE);
      present.put(closing, Presence.MOVING);
    }
    present.remove(closing);
    assertThat(built()).isEqualTo("[[, m)]");
  }

  /** Its regions are opened elsewhere when hbase:meta says so, and not before. */
  @Test
  void theMarksOfADeadServerCountAsLongAsNobodyElseHasItsRegions() throws Exception {
    OpeningMark mark = mark("", "");
    notes = notes(mark);
    present.put(mark, Presence.OPEN);
    assertThat(built()).isEqualTo("[[, )]");
    living.remove(HERE.toString());
    pass(Duration.ofSeconds(1));
    asked.clear();
    assertThat(built()).isEqualTo("[[, )]");
    assertThat(built()).isEqualTo("[[, )]");
    assertThat(asked).as("asked for each time").hasSize(2);
    present.clear();
    assertThat(built()).isEqualTo("[]");
  }

  @Test
  void nothingIsToldWhereItCannotBeToldWhoLives() {
    LiveServers silent =
        new LiveServers(
            () -> {
              throw new IOException("no ZooKeeper");
            },
            nanos::get);
    WatchedMarks marks =
        new WatchedMarks(() -> notes, silent, this::present, aside::add, nanos::get);
    assertThatThrownBy(marks::built).hasMessageContaining("no ZooKeeper");
  }
}
