package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RowStreamTest {
  private static final int BUFFER = 10;

  private ScanPool pool = new ScanPool(3, 100);

  @AfterEach
  void closePool() {
    pool.close();
  }

  private void usePool(int threads, int maxWaiting) {
    pool.close();
    pool = new ScanPool(threads, maxWaiting);
  }

  private RowStream stream(FakeSources sources) {
    return RowStream.of(sources.ranges(), sources, pool, new ReadDemand(ReadDemand.ALL, BUFFER));
  }

  private static List<String> drain(RowStream rows) throws IOException {
    return take(rows, Integer.MAX_VALUE);
  }

  private static List<String> take(RowStream rows, int most) throws IOException {
    List<String> keys = new ArrayList<>();
    while (keys.size() < most) {
      Result row = rows.next();
      if (row == null) {
        break;
      }
      keys.add(Bytes.toString(row.getRow()));
    }
    return keys;
  }

  /** Closing may be done by a thread of the pool, a moment later. */
  private static void assertAllClosed(FakeSources sources) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (sources.open() > 0 && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(sources.open()).as("sources left open").isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "5", "0,0,0", "5,0,7", "25,31,1,0,40", "100,100"})
  void handsOutAllRowsInOrder(String counts) throws IOException {
    FakeSources sources = FakeSources.withRows(counts(counts));
    try (RowStream rows = stream(sources)) {
      assertThat(drain(rows)).isEqualTo(sources.keys());
      assertThat(rows.next()).as("after the end").isNull();
      assertThat(sources.opened).hasValue(sources.ranges().size());
      assertAllClosed(sources);
    }
  }

  private static int[] counts(String text) {
    return text.isEmpty()
        ? new int[0]
        : Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8, 16})
  void orderDoesNotDependOnSpeed(int threads) throws IOException {
    usePool(threads, 100);
    Random random = new Random(threads);
    FakeSources sources = FakeSources.withRows(random.ints(200, 0, 60).toArray());
    sources.hook =
        (range, row) -> {
          if (Math.floorMod(Arrays.hashCode(range.start()) + row, 50) == 0) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
          }
        };
    try (RowStream rows = stream(sources)) {
      assertThat(drain(rows)).isEqualTo(sources.keys());
    }
    assertAllClosed(sources);
  }

  @Test
  void oneRangeIsReadByTheCaller() throws IOException {
    FakeSources sources = FakeSources.withRows(3);
    Thread caller = Thread.currentThread();
    sources.hook = (range, row) -> assertThat(Thread.currentThread()).isSameAs(caller);
    try (RowStream rows = stream(sources)) {
      assertThat(drain(rows)).isEqualTo(sources.keys());
    }
  }

  @Test
  void nothingStartsBeforeTheFirstRowIsAsked() {
    FakeSources sources = FakeSources.withRows(1, 1, 1);
    stream(sources).close();
    assertThat(sources.opened).hasValue(0);
  }

  @Test
  void readsAheadWithinBounds() throws Exception {
    FakeSources sources = FakeSources.withRows(new int[200]);
    FakeSources full = FakeSources.withRows(IntStream.generate(() -> 1000).limit(200).toArray());
    try (RowStream empty = stream(sources);
        RowStream rows = stream(full)) {
      assertThat(empty.next()).isNull();
      assertThat(rows.next()).isNotNull();
      TimeUnit.MILLISECONDS.sleep(100);
      int ahead = full.handedOut.get();
      assertThat(ahead).isLessThanOrEqualTo((pool.threads() + 1) * BUFFER);
      assertThat(full.open()).isLessThanOrEqualTo(pool.threads());
    }
    assertAllClosed(full);
  }

  @Test
  void startsRangesFarAheadOnlyToALimit() throws Exception {
    FakeSources sources = FakeSources.withRows(IntStream.generate(() -> 1).limit(200).toArray());
    CountDownLatch release = new CountDownLatch(1);
    sources.hook =
        (range, row) -> {
          if (Bytes.toString(range.start()).equals("r000") && row == 0) {
            await(release);
          }
        };
    try (RowStream rows = stream(sources)) {
      Thread later =
          new Thread(
              () -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                assertThat(sources.opened.get()).isLessThanOrEqualTo(ParallelRows.MAX_AHEAD);
                release.countDown();
              });
      later.start();
      assertThat(drain(rows)).isEqualTo(sources.keys());
      later.join();
    }
  }

  @Test
  void fewRowsStartOneRange() throws IOException {
    FakeSources sources = FakeSources.withRows(10, 10, 10, 10);
    try (RowStream rows = limited(sources, 10)) {
      assertThat(take(rows, 10)).isEqualTo(sources.keys().subList(0, 10));
    }
    assertAllClosed(sources); // The reader had all it wanted; that starts no other.
    assertThat(sources.opened).hasValue(1);
  }

  @Test
  void rangesWithoutTheRowsStartMoreAndMore() throws IOException {
    usePool(4, 100);
    FakeSources sources = FakeSources.withRows(new int[40]);
    AtomicInteger most = new AtomicInteger();
    List<Integer> open = new CopyOnWriteArrayList<>();
    sources.hook =
        (range, row) -> {
          open.add(sources.open());
          most.accumulateAndGet(sources.open(), Math::max);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        };
    try (RowStream rows = limited(sources, 10)) {
      assertThat(rows.next()).isNull();
    }
    assertThat(sources.opened).hasValue(40);
    assertThat(open.subList(0, 2)).as("open at the first range").containsExactly(0, 1);
    assertThat(most.get()).isGreaterThan(2);
  }

  private RowStream limited(FakeSources sources, int rows) {
    return RowStream.of(sources.ranges(), sources, pool, new ReadDemand(rows, 100));
  }

  private static void await(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException("cancelled").initCause(e);
    }
  }

  @Test
  void closingInTheMiddleEndsEverything() throws IOException {
    FakeSources sources = FakeSources.withRows(300, 300, 300, 300, 300, 300);
    RowStream rows = stream(sources);
    assertThat(take(rows, 35)).isEqualTo(sources.keys().subList(0, 35));
    rows.close();
    rows.close();
    assertThat(rows.next()).isNull();
    assertAllClosed(sources);
    assertThat(sources.opened.get()).isLessThan(6);
  }

  @Test
  void closingDoesNotWaitForScansThatHangButTheyAreClosedWhenTheyReturn() throws Exception {
    FakeSources sources = FakeSources.withRows(5, 5, 5);
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(2);
    sources.hook =
        (range, row) -> {
          if (!Bytes.toString(range.start()).equals("r000") && row == 2) {
            hanging.countDown();
            await(answer);
          }
        };
    RowStream rows = stream(sources);
    assertThat(take(rows, 2)).hasSize(2);
    hanging.await();
    rows.close();
    assertThat(sources.open()).isEqualTo(2);
    answer.countDown();
    assertAllClosed(sources);
    assertThat(sources.handedOut.get()).as("nothing more is read").isLessThanOrEqualTo(5 + 3 + 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3})
  void aFailureComesAfterTheRowsBeforeIt(int failsAt) {
    FakeSources sources = FakeSources.withRows(20, 5, 20, 20, 20);
    sources.hook =
        (range, row) -> {
          if (Bytes.toString(range.start()).equals("r002") && row == failsAt) {
            throw new IOException("region server is gone");
          }
        };
    List<String> seen = new ArrayList<>();
    RowStream rows = stream(sources);
    assertThatThrownBy(
            () -> {
              while (true) {
                seen.add(Bytes.toString(rows.next().getRow()));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("region server is gone");
    assertThat(seen).isEqualTo(sources.keys().subList(0, 25 + Math.max(failsAt, 0)));
    assertThatThrownBy(rows::next).hasMessage("region server is gone");
    rows.close();
    assertAllClosed(sources);
  }

  @Test
  void aBugInAScanIsAFailureToo() {
    FakeSources sources = FakeSources.withRows(2, 2);
    sources.hook =
        (range, row) -> {
          if (row == 1) {
            throw new IllegalArgumentException("bug");
          }
        };
    RowStream rows = stream(sources);
    assertThatThrownBy(() -> drain(rows))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("[r000, r001) failed")
        .hasRootCauseMessage("bug");
    rows.close();
    assertAllClosed(sources);
  }

  @Test
  void queriesReadOneWithinTheOtherDoNotBlock() throws IOException {
    usePool(1, 100);
    FakeSources outer = FakeSources.withRows(40, 40, 40);
    try (RowStream outerRows = stream(outer)) {
      for (int i = 0; i < 120; i++) {
        assertThat(outerRows.next()).isNotNull();
        if (i % 10 == 0) {
          FakeSources inner = FakeSources.withRows(25, 25, 25);
          try (RowStream innerRows = stream(inner)) {
            assertThat(drain(innerRows)).isEqualTo(inner.keys());
          }
        }
      }
      assertThat(outerRows.next()).isNull();
    }
  }

  @Test
  void theReaderHelpsWhereThePoolIsBusy() throws Exception {
    usePool(1, 100);
    CountDownLatch release = new CountDownLatch(1);
    assertThat(
            pool.offer(
                () -> {
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }))
        .isTrue();
    FakeSources sources = FakeSources.withRows(35, 5, 15);
    try (RowStream rows = stream(sources)) {
      assertThat(drain(rows)).isEqualTo(sources.keys());
    } finally {
      release.countDown();
    }
    assertAllClosed(sources);
  }

  @Test
  void theReaderDoesItAllWhereThePoolTakesNothing() throws IOException {
    FakeSources sources = FakeSources.withRows(35, 5, 15, 0, 3);
    RowStream rows = stream(sources);
    pool.close();
    try (rows) {
      assertThat(drain(rows)).isEqualTo(sources.keys());
    }
    assertAllClosed(sources);
  }

  @Test
  void aFullQueueIsNoProblem() throws IOException {
    usePool(2, 1);
    FakeSources sources = FakeSources.withRows(35, 25, 15, 0, 3, 40, 7, 7, 7);
    try (RowStream one = stream(sources)) {
      assertThat(drain(one)).isEqualTo(sources.keys());
    }
    assertAllClosed(sources);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() throws Exception {
    FakeSources sources = FakeSources.withRows(1, 1);
    CountDownLatch release = new CountDownLatch(1);
    sources.hook = (range, row) -> await(release);
    AtomicBoolean kept = new AtomicBoolean();
    RowStream rows = stream(sources);
    Thread reader =
        new Thread(
            () -> {
              assertThatThrownBy(rows::next).isInstanceOf(InterruptedIOException.class);
              kept.set(Thread.currentThread().isInterrupted());
              Thread.interrupted();
              rows.close();
            });
    reader.start();
    TimeUnit.MILLISECONDS.sleep(50);
    reader.interrupt();
    reader.join();
    assertThat(kept).isTrue();
    release.countDown();
    assertAllClosed(sources);
  }
}
