package io.spyhop.server.index.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.RegionViews;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import io.spyhop.server.runtime.JobScheduler;
import io.spyhop.server.runtime.Pacer;
import io.spyhop.server.runtime.Settings;
import io.spyhop.server.view.store.LocalRegions;
import io.spyhop.server.view.store.RecentBlocks;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store's view when something goes wrong, in a region without a server. */
class StoreViewTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] F = LocalRegions.F;
  private static final int ROWS = 300;
  private static final long ROOM = 1 << 20;

  @TempDir java.nio.file.Path dir;
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final ServerMetrics metrics =
      new ServerMetrics(
          new MetricRegistriesImpl()
              .create(new MetricRegistryInfo("view", "view", "view", "view", false)));
  private Supplier<Pacer> pacers = () -> new Pacer(() -> false, System::nanoTime);
  private LocalRegions regions;
  private JobScheduler jobs;
  private ViewService service;
  private StoreView view;

  @BeforeEach
  void start() {
    regions = new LocalRegions(dir);
    jobs = newJobs();
  }

  @AfterEach
  void stop() throws IOException {
    if (view != null) {
      view.close();
    }
    jobs.close();
    regions.close();
  }

  private JobScheduler newJobs() {
    return new JobScheduler(1, 10, Thread::new, clock::get, ended -> {});
  }

  /** A region with two HFiles. */
  private HRegion filled(UnaryOperator<ColumnFamilyDescriptorBuilder> family) throws IOException {
    HRegion region = regions.open(true, family);
    flush(region, 0, 2);
    flush(region, 1, 2);
    return region;
  }

  /** One more HFile, of some of the rows. */
  private static void flush(HRegion region, int first, int step) throws IOException {
    for (int i = first; i < ROWS; i += step) {
      region.put(
          new Put(Bytes.toBytes(String.format("secret%04d", i)))
              .addColumn(F, Bytes.toBytes("q"), Bytes.toBytes(i)));
    }
    region.flush(true);
  }

  private void open(HRegion region, long memory) {
    service =
        new ViewService(
            memory,
            new RecentBlocks(0),
            32,
            metrics,
            made -> jobs.submit(made),
            () -> pacers.get(),
            clock::get,
            new Complaints(System::nanoTime));
    view = new StoreView(service, region, (ViewStore) region.getStore(F));
    view.open();
  }

  private RegionViews.View state() {
    return view.state();
  }

  /** Compares until there is a view of both HFiles, as a server does every now and then. */
  private void awaitView() {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              view.current();
              clock.addAndGet(60_000);
              view.reconcile();
              return state().inView() == 2 && !state().isPending();
            });
  }

  private void awaitCount(AtLeast count) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              view.current();
              clock.addAndGet(60_000);
              view.reconcile();
              return count.isReached() && !state().isPending();
            });
  }

  private interface AtLeast {
    boolean isReached();
  }

  private static int rows(HRegion region) throws IOException {
    int rows = 0;
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      for (boolean more = true; more; ) {
        more = scanner.nextRaw(cells);
        rows += cells.size();
        cells.clear();
      }
    }
    return rows;
  }

  private static Path file(HRegion region) {
    return new Path(region.getRegionFileSystem().getRegionDir(), ViewFiles.NAME + "/f");
  }

  private static byte[] read(HRegion region) throws IOException {
    try (FSDataInputStream in = region.getRegionFileSystem().getFileSystem().open(file(region))) {
      return in.readAllBytes();
    }
  }

  private static void write(HRegion region, byte[] bytes) throws IOException {
    FileSystem fs = region.getRegionFileSystem().getFileSystem();
    try (FSDataOutputStream out = fs.create(file(region), true)) {
      out.write(bytes);
    }
  }

  @Test
  void aJobThatIsCancelledBeforeItRunsIsQueuedAgain() throws Exception {
    HRegion region = filled(f -> f);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch wait = new CountDownLatch(1);
    jobs.submit(
        List.of(
            new Job(
                JobKind.VIEW,
                "another",
                List.of(),
                () -> {
                  running.countDown();
                  try {
                    wait.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                })));
    running.await();
    open(region, ROOM);
    view.reconcile();
    assertThat(state().isPending()).isTrue();
    jobs.close();
    assertThat(state().isPending()).as("it is still owed").isTrue();
    jobs = newJobs();
    awaitView();
    assertThat(rows(region)).isEqualTo(ROWS);
    assertThat(metrics.viewScans.getCount()).isOne();
  }

  @Test
  void aViewThatDoesNotFitIsNotUsedAndIsCounted() throws IOException {
    HRegion region = filled(f -> f);
    open(region, 500);
    awaitCount(() -> metrics.unusedViews.getCount() > 0);
    assertThat(state().inView()).isZero();
    assertThat(state().bytes()).isZero();
    assertThat(state().unused()).isPositive();
    assertThat(state().lastError()).contains(Settings.VIEW_MEMORY);
    assertThat(rows(region)).isEqualTo(ROWS);
    assertThat(metrics.viewScans.getCount()).isZero();
  }

  /** It is seldom looked at until then: the next turn is not its own but once in twenty. */
  @Test
  void aViewAtRestIsLookedAtWhenSomethingIsTold() throws IOException {
    HRegion region = filled(f -> f);
    open(region, ROOM);
    awaitView();
    await().atMost(PATIENCE).until(view::reconcile);
    int looked = 0;
    for (int turn = 0; turn < 20; turn++) {
      view.changed();
      service.reconcile();
      looked += view.isChanged() ? 0 : 1;
    }
    assertThat(looked).as("each turn, as something is told before each").isEqualTo(20);
    for (int turn = 0; turn < 20; turn++) {
      service.reconcile();
    }
    flush(region, 0, 2);
    view.changed();
    service.reconcile();
    await().atMost(PATIENCE).until(() -> state().inView() == 3);
  }

  @Test
  void anErrorOfAJobIsTriedAgainLater() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    Supplier<Pacer> usual = pacers;
    pacers =
        () -> {
          tries.incrementAndGet();
          throw new StackOverflowError("of a test");
        };
    HRegion region = filled(f -> f);
    open(region, ROOM);
    view.current();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              view.reconcile();
              return !state().lastError().isEmpty();
            });
    for (int i = 0; i < 10; i++) {
      view.reconcile();
    }
    assertThat(state().isPending()).isFalse();
    assertThat(tries.get()).isOne();
    assertThat(state().lastError()).contains("of a test");
    pacers = usual;
    awaitView();
    assertThat(rows(region)).isEqualTo(ROWS);
  }

  @Test
  void blocksThatCannotBeReadCostTheViewWhenTheyCannotBeReadAgain() throws IOException {
    HRegion region = filled(f -> f);
    open(region, ROOM);
    awaitView();
    for (int i = 0; i < 9; i++) { // now and then
      view.unread(view.current(), new IOException("of a test"));
      clock.addAndGet(60_001);
    }
    assertThat(state().inView()).isEqualTo(2);
    assertThat(state().damaged()).isZero();
    for (int i = 0; i < 3; i++) {
      view.unread(view.current(), new IOException("of a test"));
    }
    assertThat(state().inView()).isZero();
    assertThat(state().damaged()).isOne();
  }

  /** Nothing has changed that would let it fit. */
  @ParameterizedTest
  @ValueSource(longs = {200, 500})
  void aViewThatDoesNotFitIsNotTriedAgainByTheClock(long memory) throws IOException {
    HRegion region = filled(f -> f);
    open(region, memory);
    awaitCount(() -> metrics.unusedViews.getCount() > 0);
    flush(region, 2, 2); // nor does one of more HFiles
    for (int i = 0; i < 10; i++) {
      awaitCount(() -> true);
    }
    assertThat(metrics.unusedViews.getCount()).isOne();
    assertThat(state().isPending()).as("it is owed").isFalse();
  }

  /** The view has one run more by then, which takes its part. */
  @Test
  void aViewStaysUntilTheNextOneIsInItsPlace() throws IOException {
    HRegion larger = filled(f -> f);
    flush(larger, 0, 3);
    open(larger, ROOM);
    awaitCount(() -> state().inView() == 3);
    final long tooLittle = state().bytes() - 1;
    view.close();
    HRegion region = filled(f -> f);
    open(region, tooLittle);
    awaitView();
    flush(region, 0, 3);
    view.changed();
    awaitCount(() -> metrics.unusedViews.getCount() > 0);
    assertThat(state().inView()).isEqualTo(2);
    assertThat(rows(region)).isEqualTo(ROWS);
    assertThat(metrics.viewScans.getCount()).isOne();
  }

  /** Behind the four bytes that say that it is a view. */
  private static final int VERSION_AT = 4;

  private enum Damage {
    A_BIT {
      @Override
      byte[] of(byte[] file, byte[] other) {
        file[file.length / 2] ^= 4;
        return file;
      }
    },
    TRUNCATED {
      @Override
      byte[] of(byte[] file, byte[] other) {
        return java.util.Arrays.copyOf(file, file.length - 9);
      }
    },
    EMPTY {
      @Override
      byte[] of(byte[] file, byte[] other) {
        return new byte[0];
      }
    },
    OF_AN_EARLIER_VERSION(false) {
      @Override
      byte[] of(byte[] file, byte[] other) {
        file[VERSION_AT]--;
        CRC32C sum = new CRC32C();
        sum.update(file, 0, file.length - Integer.BYTES);
        ByteBuffer.wrap(file).putInt(file.length - Integer.BYTES, (int) sum.getValue());
        return file;
      }
    },
    OF_ANOTHER_REGION(false) {
      @Override
      byte[] of(byte[] file, byte[] other) {
        return other;
      }
    };

    /** Whether it is counted as damage, and not only made anew. */
    private final boolean isOne;

    Damage() {
      this(true);
    }

    Damage(boolean isOne) {
      this.isOne = isOne;
    }

    abstract byte[] of(byte[] file, byte[] other);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotTheViewOfTheFilesIsMadeAnew(Damage damage) throws IOException {
    HRegion other = filled(f -> f);
    open(other, ROOM);
    awaitView();
    view.close();
    HRegion region = filled(f -> f);
    open(region, ROOM);
    awaitView();
    view.close();
    long merged = metrics.mergedViews.getCount();
    open(region, ROOM);
    awaitView();
    assertThat(metrics.mergedViews.getCount()).as("read, not made").isEqualTo(merged);
    view.close();
    write(region, damage.of(read(region), read(other)));
    open(region, ROOM);
    awaitView();
    assertThat(metrics.mergedViews.getCount()).isEqualTo(merged + 1);
    assertThat(state().damaged()).isEqualTo(damage.isOne ? 1 : 0);
    assertThat(rows(region)).isEqualTo(ROWS);
  }

  @Test
  void aDirectoryThatCannotBeWrittenCostsTheFileAlone() throws IOException {
    HRegion region = filled(f -> f);
    FileSystem fs = region.getRegionFileSystem().getFileSystem();
    fs.create(file(region).getParent()).close(); // a file where the directory would be
    open(region, ROOM);
    awaitView();
    assertThat(state().lastError()).isNotEmpty();
    assertThat(rows(region)).isEqualTo(ROWS);
    assertThat(metrics.viewScans.getCount()).isOne();
  }

  @Test
  void theViewOfAnEncryptedFamilyShowsNoKey() throws IOException {
    regions
        .conf()
        .set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName());
    regions.conf().set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase");
    byte[] needle = Bytes.toBytes("secret0");
    HRegion plain = filled(f -> f);
    open(plain, ROOM);
    awaitView();
    assertThat(Bytes.contains(read(plain), needle)).isTrue();
    view.close();
    HRegion sealed = filled(f -> f.setEncryptionType("AES"));
    open(sealed, ROOM);
    awaitView();
    assertThat(Bytes.contains(read(sealed), needle)).isFalse();
    assertThat(rows(sealed)).isEqualTo(ROWS);
    view.close();
    long merged = metrics.mergedViews.getCount();
    open(sealed, ROOM);
    awaitView();
    assertThat(metrics.mergedViews.getCount()).as("read, not made").isEqualTo(merged);
  }
}
