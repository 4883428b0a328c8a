package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import io.spyhop.server.index.global.opening.LastOpening.Known;
import io.spyhop.server.index.global.opening.LastOpening.Merged;
import io.spyhop.server.index.global.opening.LastOpening.Parent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Conclusions from marks, without HBase. */
class OpeningMarkTest {
  private static final ServerName HERE = ServerName.valueOf("here", 1, 100);
  private static final ServerName THERE = ServerName.valueOf("there", 1, 100);

  private static OpeningMark mark(String start, String end, long number, long since) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .setRegionId(7 + end.length())
            .build();
    Range range = new Range(region.getStartKey(), region.getEndKey());
    return new OpeningMark(number, region.getRegionName(), range, HERE, 5, true, 0, since);
  }

  private static Built built(String start, String end, long number) {
    return new Built(number, new Range(Bytes.toBytes(start), Bytes.toBytes(end)));
  }

  private static ControlNotes notes(List<Built> built, List<OpeningMark> marks) {
    return ControlNotes.of(OptionalLong.empty(), built, marks);
  }

  @Test
  void isReadAsItWasWritten() throws Exception {
    OpeningMark mark = mark("a", "m", 9, 4).closed(77);
    OpeningMark read = OpeningMark.decode(mark.number(), mark.encode());
    assertThat(read).usingRecursiveComparison().isEqualTo(mark);
    assertThat(read.isOpen()).isFalse();
    assertThat(read.number()).isEqualTo(11);
    byte[] damaged = mark.encode();
    damaged[damaged.length / 2]++;
    assertThatThrownBy(() -> OpeningMark.decode(1, damaged))
        .isInstanceOf(CorruptFrameException.class);
  }

  @Test
  void whatIsBelievedHasAMarkAndWasBuiltSince() {
    OpeningMark left = mark("", "m", 10, 3);
    OpeningMark right = mark("m", "", 11, 11);
    ControlNotes notes = notes(List.of(built("", "", 5), built("x", "", 11)), List.of(left, right));
    assertThat(notes.believed(notes.marks()).ranges())
        .extracting(Range::toString)
        .containsExactly("[, m)", "[x, )");
    assertThat(notes.believed(List.of(right)).ranges())
        .extracting(Range::toString)
        .containsExactly("[x, )");
    assertThat(notes.greatestNumber()).isEqualTo(11);
  }

  /** Compared with a look at every note. */
  @Test
  void stretchesAreFoundWhereverTheyBegin() {
    Random r = new Random(1);
    for (int n = 0; n < 300; n++) {
      List<Built> built = new ArrayList<>();
      for (int i = r.nextInt(8); i > 0; i--) {
        int start = r.nextInt(10);
        int end = start + 1 + r.nextInt(10 - start);
        built.add(built(start == 0 ? "" : "k" + start, end == 10 ? "" : "k" + end, r.nextInt(3)));
      }
      OpeningMark mark = mark("k2", r.nextBoolean() ? "" : "k" + (3 + r.nextInt(7)), 9, 1);
      assertThat(new EntryCoverage(built).in(mark.range(), 1))
          .extracting(Range::toString)
          .containsExactlyInAnyOrderElementsOf(
              built.stream()
                  .filter(b -> b.number() >= 1)
                  .flatMap(b -> b.range().intersect(mark.range()).stream())
                  .map(Range::toString)
                  .toList());
    }
  }

  @Test
  void goesOnFromTheLastOpeningOnly() {
    OpeningMark mark = mark("", "", 10, 3);
    ControlNotes notes = notes(List.of(), List.of(mark));
    assertThat(new LastOpening(List.of(new Known(mark.region(), HERE, 5))).marks(notes))
        .containsExactly(mark);
    assertThat(new LastOpening(List.of(new Known(mark.region(), HERE, 6))).marks(notes)).isEmpty();
    assertThat(new LastOpening(List.of(new Known(mark.region(), THERE, 4))).marks(notes))
        .as("an opening that was not reported")
        .containsExactly(mark);
    assertThat(new LastOpening(List.of(new Known(mark.region(), THERE, 5))).marks(notes)).isEmpty();
    assertThat(new LastOpening(List.of(new Known("another", HERE, 5))).marks(notes)).isEmpty();
    assertThat(LastOpening.UNKNOWN.marks(notes)).isEmpty();
  }

  @Test
  void daughtersGoByAParentThatSaysItHasClosed() {
    OpeningMark parent = mark("", "", 10, 3);
    LastOpening split = new LastOpening(List.of(new Parent(parent.region(), HERE, 5)));
    assertThat(split.marks(notes(List.of(), List.of(parent.closed(20))))).hasSize(1);
    assertThat(split.marks(notes(List.of(), List.of(parent.closing()))))
        .as("files that compactions had replaced may be left")
        .isEmpty();
    assertThat(split.marks(notes(List.of(), List.of(parent)))).isEmpty();
    assertThat(
            new LastOpening(List.of(new Parent(parent.region(), HERE, 6)))
                .marks(notes(List.of(), List.of(parent.closed(20)))))
        .as("another opening's")
        .isEmpty();
  }

  @Test
  void mergedRegionsGoByWhatTheirParentsLeft() {
    OpeningMark left = mark("", "m", 10, 3);
    OpeningMark right = mark("m", "", 11, 11);
    LastOpening merged =
        new LastOpening(List.of(new Merged(left.region(), 20), new Merged(right.region(), 30)));
    List<OpeningMark> closed = List.of(left.closed(20), right.closed(30));
    assertThat(merged.marks(notes(List.of(), closed))).isEqualTo(closed);
    assertThat(merged.marks(notes(List.of(), List.of(left.closed(20), right))))
        .as("one is not known to have closed")
        .isEmpty();
    assertThat(merged.marks(notes(List.of(), List.of(left.closed(19), right.closed(30)))))
        .as("one was opened since")
        .isEmpty();
  }

  @Test
  void aParentsMarkStaysForItsSecondDaughter() {
    OpeningMark parent = mark("", "", 10, 3).closed(20);
    OpeningMark left = mark("", "m", 30, 3);
    OpeningMark right = mark("m", "", 31, 3);
    ControlNotes first = ControlNotes.of(OptionalLong.empty(), List.of(), List.of(parent));
    assertThat(first.replaced(left, 1_000)).isEmpty();
    ControlNotes both = ControlNotes.of(OptionalLong.empty(), List.of(), List.of(parent, left));
    assertThat(both.replaced(right, 1_000)).containsExactly(parent);
    assertThat(both.replaced(right, 5)).as("not before its time").isEmpty();
  }

  @Test
  void aMarkThatWasNotTakenBackGoesWithItsRegion() {
    OpeningMark parent = mark("", "", 10, 3);
    OpeningMark left = mark("", "m", 30, 3);
    OpeningMark right = mark("m", "", 31, 3);
    assertThat(notes(List.of(), List.of(parent)).replaced(left, 1_000)).isEmpty();
    assertThat(notes(List.of(), List.of(parent, left)).replaced(right, 1_000))
        .containsExactly(parent);
    assertThat(notes(List.of(), List.of(parent, left, right)).replaced(right, 1_000))
        .containsExactly(parent);
  }

  @Test
  void whereNobodySaysWhoLivesNobodyIsAskedForAWhile() throws Exception {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean away = new AtomicBoolean(true);
    LiveServers servers =
        new LiveServers(
            () -> {
              asked.incrementAndGet();
              if (away.get()) {
                throw new IOException("away");
              }
              return List.of("here,1,100");
            },
            nanos::get);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(servers::living).isInstanceOf(IOException.class);
    }
    assertThat(asked).hasValue(1);
    away.set(false);
    nanos.addAndGet(2_000_000_001L);
    assertThat(servers.living()).contains(HERE);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aServerThatWasStartedAgainIsDead() throws Exception {
    AtomicLong nanos = new AtomicLong();
    AtomicReference<List<String>> listed =
        new AtomicReference<>(List.of("here,1,100", "there,1,100"));
    LiveServers servers =
        new LiveServers(
            () -> {
              if (listed.get() == null) {
                throw new IOException("away");
              }
              return listed.get();
            },
            nanos::get);
    assertThat(servers.living()).contains(HERE);
    listed.set(List.of("here,1,100", "here,1,200"));
    assertThat(servers.living()).as("asked a moment ago").contains(THERE);
    nanos.addAndGet(251_000_000);
    assertThat(servers.living()).doesNotContain(THERE);
    assertThat(servers.living()).doesNotContain(HERE);
    assertThat(servers.living()).contains(ServerName.valueOf("here", 1, 200));
    listed.set(null);
    nanos.addAndGet(251_000_000);
    assertThatThrownBy(servers::living).isInstanceOf(IOException.class);
  }
}
