package io.spyhop.server.index.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.runtime.JobScheduler;
import io.spyhop.server.runtime.Pacer;
import io.spyhop.server.view.store.LocalRegions;
import io.spyhop.server.view.store.RecentBlocks;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads for the views of a store follow what is written to it, and what scans lose. */
class ViewCostTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int FLUSHES = 40;
  private static final int MOST_FILES = 12;
  private static final int ROWS = 600;
  private static final byte[] VALUE = new byte[1_000];

  @TempDir java.nio.file.Path dir;
  private final Random random = new Random(7);
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final ServerMetrics metrics =
      new ServerMetrics(
          new MetricRegistriesImpl()
              .create(new MetricRegistryInfo("cost", "cost", "cost", "cost", false)));
  private final JobScheduler jobs = new JobScheduler(1, 10, Thread::new, clock::get, ended -> {});
  private LocalRegions regions;
  private HRegion region;
  private ViewStore store;
  private StoreView view;

  @BeforeEach
  void open() throws IOException {
    regions = new LocalRegions(dir);
    region = regions.open(true, f -> f);
    store = (ViewStore) region.getStore(LocalRegions.F);
    ViewService service =
        new ViewService(
            100 << 20,
            new RecentBlocks(0),
            32,
            metrics,
            jobs::submit,
            () -> new Pacer(() -> false, System::nanoTime),
            clock::get,
            new Complaints(System::nanoTime));
    view = new StoreView(service, region, store);
    view.open();
  }

  @AfterEach
  void close() throws IOException {
    view.close();
    jobs.close();
    regions.close();
  }

  @Test
  void flushesOfKeysAtRandomAreReadLittleMoreThanOnce() throws IOException {
    for (int f = 0; f < FLUSHES; f++) {
      flush(random.ints(ROWS, 0, 100_000));
      if (store.getStorefilesCount() == MOST_FILES) {
        region.compact(true);
        view.changed();
      }
      settle();
    }
    assertReadAtMost(1.3);
    assertThat(metrics.mergedViews.getCount()).isPositive();
  }

  @Test
  void flushesOfAscendingKeysAreReadOnceAndAllInTheView() throws IOException {
    for (int f = 0; f < FLUSHES; f++) {
      flush(IntStream.range(f * ROWS, (f + 1) * ROWS));
      settle();
    }
    assertReadAtMost(1.3);
    assertThat(view.state().inView()).isGreaterThan(FLUSHES - 4);
    assertThat(metrics.extendedViews.getCount()).isGreaterThan(FLUSHES - 8);
  }

  @Test
  void scansPayForTheRest() throws IOException {
    for (int f = 0; f < 3; f++) {
      flush(random.ints(ROWS, 0, 100_000));
      settle();
    }
    assertThat(view.state().inView()).as("of three HFiles").isZero();
    for (int i = 0; i < 2_000; i++) {
      scan(1);
    }
    settle();
    assertThat(view.state().inView()).isEqualTo(3);
    assertThat(scan(Integer.MAX_VALUE)).isGreaterThan(2 * ROWS);
    assertThat(metrics.viewScans.getCount()).isOne();
  }

  private void assertReadAtMost(double share) {
    double flushed = store.getFlushedOutputFileSize();
    assertThat(metrics.viewReadBytes.getCount() / flushed).isBetween(0.1, share);
  }

  private void flush(IntStream keys) throws IOException {
    for (int key : keys.toArray()) {
      random.nextBytes(VALUE);
      region.put(
          new Put(Bytes.toBytes(String.format("%09d", key)))
              .addColumn(LocalRegions.F, Bytes.toBytes("q"), VALUE.clone()));
    }
    region.flush(true);
    view.changed();
  }

  /** As a server does every now and then, until nothing is to be done. */
  private void settle() {
    view.current();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              view.reconcile();
              return !view.state().isPending();
            });
    assertThat(view.state().lastError()).isEmpty();
  }

  private int scan(int most) throws IOException {
    int rows = 0;
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      for (boolean more = true; more && rows < most; ) {
        more = scanner.nextRaw(cells);
        rows += cells.isEmpty() ? 0 : 1;
        cells.clear();
      }
    }
    return rows;
  }
}
