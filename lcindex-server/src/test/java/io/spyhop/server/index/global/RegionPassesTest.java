package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.runtime.Complaints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work for all regions is done once, however many ask and how often; without HBase. */
class RegionPassesTest {
  private static final long BEGUN = System.nanoTime();
  private static final int REGIONS = 200;
  private static final ControlNotes NOTHING =
      ControlNotes.of(OptionalLong.empty(), List.of(), List.of());

  private final ScheduledExecutorService builds = Executors.newScheduledThreadPool(1);
  private final ScheduledExecutorService looks = Executors.newScheduledThreadPool(1);
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger marks = new AtomicInteger();
  private final AtomicInteger built = new AtomicInteger();
  private final AtomicInteger lookedAt = new AtomicInteger();
  private final RegionPasses passes =
      new RegionPasses(
          builds,
          looks,
          table -> {
            reads.incrementAndGet();
            throw new IOException("cannot be read");
          },
          new Complaints(System::nanoTime));

  /** A region that is not built, of a table whose index table cannot be read. */
  private final class Unbuilt implements RegionPasses.Region {
    @Override
    public TableName table() {
      return TableName.valueOf("base");
    }

    @Override
    public void mark(PassNotes notes) throws IOException {
      marks.incrementAndGet();
      notes.since(TableName.valueOf("index"), BEGUN);
    }

    @Override
    public boolean build(PassNotes notes) throws IOException {
      built.incrementAndGet();
      notes.since(TableName.valueOf("index"), BEGUN);
      return false;
    }

    @Override
    public boolean look(PassNotes notes) throws IOException {
      lookedAt.incrementAndGet();
      passes.buildSoon();
      notes.since(TableName.valueOf("index"), BEGUN);
      return false;
    }
  }

  @AfterEach
  void stop() {
    builds.shutdownNow();
    looks.shutdownNow();
  }

  @Test
  void manyQuestionsHaveOnePassAndOneLookAtTheTable() throws Exception {
    List<Unbuilt> regions = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      regions.add(new Unbuilt());
      passes.add(regions.get(i));
    }
    CountDownLatch looksMay = blocked(looks);
    CountDownLatch buildsMay = blocked(builds);
    for (int n = 0; n < 10; n++) {
      regions.forEach(passes::lookSoon);
    }
    looksMay.countDown();
    Awaitility.await("looks and marks").until(() -> marks.get() >= REGIONS);
    buildsMay.countDown();
    Awaitility.await("builds").until(() -> built.get() >= REGIONS);
    for (ScheduledExecutorService e : List.of(looks, builds)) {
      e.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
    }
    assertThat(lookedAt).hasValue(REGIONS);
    assertThat(marks).hasValue(REGIONS);
    assertThat(built).hasValue(REGIONS);
    assertThat(reads).as("one for each pass").hasValue(3);
  }

  @Test
  void whoIsToldOfATableLooksAtItsRegions() throws Exception {
    passes.add(new Unbuilt());
    passes.lookSoon(Optional.of(TableName.valueOf("another")));
    looks.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
    assertThat(lookedAt).hasValue(0);
    passes.lookSoon(Optional.of(TableName.valueOf("base")));
    Awaitility.await("a look").until(() -> lookedAt.get() == 1);
    passes.lookSoon(Optional.empty());
    Awaitility.await("a look at any").until(() -> lookedAt.get() == 2);
  }

  private static CountDownLatch blocked(ScheduledExecutorService executor) {
    CountDownLatch free = new CountDownLatch(1);
    executor.execute(() -> await(free));
    return free;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whoAsksWhileItRunsGetsAnotherRun() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    Coalesced work =
        new Coalesced(
            looks,
            () -> {
              count.incrementAndGet();
              runs.countDown();
              await(end);
            },
            1);
    work.soon(0);
    runs.await();
    for (int i = 0; i < 100; i++) {
      work.soon(0);
    }
    end.countDown();
    Awaitility.await("the second run").until(() -> count.get() == 2);
    looks.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
    assertThat(count).hasValue(2);
  }

  @Test
  void whoAsksForLaterHasARunThen() {
    AtomicLong last = new AtomicLong();
    Coalesced work = new Coalesced(looks, () -> last.set(System.nanoTime()), 1);
    long from = System.nanoTime();
    work.soon(0);
    work.soon(300);
    work.soon(0);
    Awaitility.await("a run after 300 ms").until(() -> last.get() - from >= 300_000_000L);
  }

  @Test
  void notesAreOfAMomentAgoAndFailuresAreRemembered() throws Exception {
    AtomicLong nanos = new AtomicLong();
    List<IOException> failing = new ArrayList<>();
    PassNotes notes =
        new PassNotes(
            table -> {
              reads.incrementAndGet();
              if (!failing.isEmpty()) {
                throw failing.get(0);
              }
              return NOTHING;
            },
            nanos::get);
    TableName table = TableName.valueOf("index");
    notes.since(table, -1);
    notes.since(table, -1);
    assertThat(reads).hasValue(1);
    notes.since(table, nanos.get());
    assertThat(reads).hasValue(2);
    notes.since(table, 0);
    assertThat(reads).as("asked after it was read").hasValue(3);
    nanos.addAndGet(1_000_000_001L);
    notes.since(table, -1);
    assertThat(reads).hasValue(4);
    failing.add(new IOException("away"));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> notes.since(table, nanos.get())).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> notes.since(table, -1)).isInstanceOf(IOException.class);
    }
    assertThat(reads).hasValue(5);
    failing.clear();
    nanos.addAndGet(30_000_000_001L);
    assertThat(notes.since(table, -1)).isSameAs(NOTHING);
  }
}
