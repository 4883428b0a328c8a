package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cursors hold no more than they may, and come to their end whatever others hold. */
@Timeout(60)
class ReadAheadTest {
  private static final int THREADS = 3;
  private static final int CACHING = 10;
  private static final long PAGE = 4 << 10;
  private static final long ROW = Result.getTotalSizeOfCells(FakeSources.row("r000-00000"));

  private final List<ScanPool> pools = new ArrayList<>();

  @AfterEach
  void closePools() {
    pools.forEach(ScanPool::close);
  }

  private ScanPool pool(long maxBytes) {
    ScanPool pool = new ScanPool(THREADS, 100, new ReadAhead(maxBytes, PAGE));
    pools.add(pool);
    return pool;
  }

  private static FakeSources ranges(int ranges, int rows) {
    return FakeSources.withRows(IntStream.generate(() -> rows).limit(ranges).toArray());
  }

  private static RowStream stream(FakeSources sources, ScanPool pool) {
    return RowStream.of(sources.ranges(), sources, pool, new ReadDemand(ReadDemand.ALL, CACHING));
  }

  private static List<String> drain(RowStream rows) throws IOException {
    List<String> keys = new ArrayList<>();
    for (Result row = rows.next(); row != null; row = rows.next()) {
      keys.add(Bytes.toString(row.getRow()));
    }
    return keys;
  }

  /** Waits until nobody reads any more. */
  private static void settle(FakeSources... all) {
    for (FakeSources sources : all) {
      AtomicInteger last = new AtomicInteger(-1);
      await()
          .pollInterval(Duration.ofMillis(50))
          .until(() -> last.getAndSet(sources.handedOut.get()) == sources.handedOut.get());
    }
  }

  private static void awaitNothingHeld(ScanPool pool) {
    await().untilAsserted(() -> assertThat(pool.readAhead().used()).isZero());
  }

  @Test
  void oneRowCostsAFewPages() throws IOException {
    ScanPool pool = pool(64 << 20);
    FakeSources sources = ranges(8, 5000);
    try (RowStream rows = stream(sources, pool)) {
      assertThat(rows.next()).isNotNull();
      settle(sources);
      int most = (THREADS + 1) * CACHING;
      await().until(() -> sources.handedOut.get() >= CACHING);
      await().until(() -> pool.readAhead().used() >= CACHING * ROW);
      settle(sources);
      assertThat(sources.handedOut.get()).isLessThanOrEqualTo(most);
      assertThat(pool.readAhead().used()).isLessThanOrEqualTo(2L * most * ROW);
      assertThat(drain(rows)).isEqualTo(sources.keys().subList(1, 40_000));
    }
    awaitNothingHeld(pool);
  }

  /** Each has read more than it may hold, so that all would be as far ahead as they may. */
  @Test
  void cursorsShareTheBound() throws IOException {
    long bound = 256 << 10;
    ScanPool pool = pool(bound);
    List<FakeSources> sources = new ArrayList<>();
    List<RowStream> cursors = new ArrayList<>();
    List<List<String>> read = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sources.add(ranges(4, 5000));
      cursors.add(stream(sources.get(i), pool));
      read.add(new ArrayList<>());
    }
    Random random = new Random(3);
    for (int step = 0; step < 2000; step++) {
      int i = random.nextInt(8);
      for (int n = random.nextInt(20); n > 0; n--) {
        read.get(i).add(Bytes.toString(cursors.get(i).next().getRow()));
      }
    }
    await().until(() -> ahead(sources, read) >= bound / 4);
    settle(sources.toArray(FakeSources[]::new));
    long held = ahead(sources, read);
    assertThat(held).as("rows ahead").isLessThanOrEqualTo(bound);
    assertThat(pool.readAhead().used()).isBetween(held, bound);
    for (int i = 0; i < 8; i++) {
      read.get(i).addAll(drain(cursors.get(i)));
      assertThat(read.get(i)).isEqualTo(sources.get(i).keys());
      cursors.get(i).close();
    }
    awaitNothingHeld(pool);
  }

  private static long ahead(List<FakeSources> sources, List<List<String>> read) {
    long rows = 0;
    for (int i = 0; i < sources.size(); i++) {
      rows += sources.get(i).handedOut.get() - read.get(i).size();
    }
    return ROW * rows;
  }

  /** A cursor that nobody reads on holds half of it at most, and one that is read has its share. */
  @Test
  void oneCursorLeavesRoomForOthers() throws IOException {
    long bound = 256 << 10;
    ScanPool pool = pool(bound);
    FakeSources idle = ranges(8, 5000);
    FakeSources busy = ranges(8, 5000);
    try (RowStream first = stream(idle, pool);
        RowStream second = stream(busy, pool)) {
      for (int i = 0; i < 5000; i++) {
        first.next();
      }
      await().until(() -> pool.readAhead().used() >= bound / 8);
      settle(idle);
      assertThat(pool.readAhead().used()).isLessThanOrEqualTo(bound / 2 + THREADS * PAGE);
      for (int i = 0; i < 1000; i++) {
        second.next();
      }
      await().until(() -> (busy.handedOut.get() - 1000) * ROW > bound / 16);
      assertThat(drain(second)).isEqualTo(busy.keys().subList(1000, 40_000));
    }
    awaitNothingHeld(pool);
  }

  /** With nothing to share a cursor reads its ranges one after the other, a page at a time. */
  @Test
  void withoutRoomTheReaderReads() throws IOException {
    ScanPool pool = pool(0);
    FakeSources outer = ranges(5, 40);
    FakeSources inner = ranges(5, 40);
    Thread reader = Thread.currentThread();
    FakeSources.Hook own = (range, row) -> assertThat(Thread.currentThread()).isSameAs(reader);
    outer.hook = own;
    inner.hook = own;
    try (RowStream rows = stream(outer, pool)) {
      for (int i = 0; i < 200; i++) {
        assertThat(Bytes.toString(rows.next().getRow())).isEqualTo(outer.keys().get(i));
        assertThat(outer.handedOut.get()).isLessThanOrEqualTo(i + CACHING);
        assertThat(outer.open()).isLessThanOrEqualTo(1);
      }
      try (RowStream within = stream(inner, pool)) {
        assertThat(drain(within)).isEqualTo(inner.keys());
      }
      assertThat(rows.next()).isNull();
    }
    awaitNothingHeld(pool);
  }

  @Test
  void nothingIsHeldAfterAFailureOrAClose() throws IOException {
    ScanPool pool = pool(1 << 20);
    FakeSources broken = ranges(6, 50);
    broken.hook =
        (range, row) -> {
          if (Bytes.toString(range.start()).equals("r002") && row == 20) {
            throw new IOException("region server is gone");
          }
        };
    RowStream rows = stream(broken, pool);
    assertThatThrownBy(() -> drain(rows)).hasMessage("region server is gone");
    rows.close();
    rows.close();
    awaitNothingHeld(pool);
    RowStream closed = stream(ranges(6, 5000), pool);
    assertThat(closed.next()).isNotNull();
    closed.close();
    closed.close();
    awaitNothingHeld(pool);
  }

  @Test
  void aCursorThatNobodyClosedIsForgotten() throws IOException {
    ScanPool pool = pool(1 << 20);
    assertThat(stream(ranges(6, 50), pool).next()).isNotNull();
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(pool.readAhead().used()).isZero();
            });
  }

  @Test
  void theBoundIsConfigured() {
    Configuration conf = new Configuration(false);
    long usual = ReadAhead.of(conf, 4).maxBytes();
    assertThat(usual).isEqualTo(Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8));
    assertThat(ReadAhead.of(conf, 4).pageBytes()).isEqualTo(2 << 20);
    conf.setLong(ReadAhead.BYTES, 8 << 20);
    assertThat(ReadAhead.of(conf, 16).maxBytes()).isEqualTo(8 << 20);
    assertThat(ReadAhead.of(conf, 16).pageBytes()).as("all threads' together").isEqualTo(256 << 10);
    conf.setLong(ReadAhead.BYTES, 0);
    assertThat(ReadAhead.of(conf, 16).pageBytes()).isEqualTo(64 << 10);
    conf.set(ReadAhead.BYTES, "64m");
    assertThat(ReadAhead.of(conf, 4).maxBytes()).isEqualTo(usual);
  }
}
