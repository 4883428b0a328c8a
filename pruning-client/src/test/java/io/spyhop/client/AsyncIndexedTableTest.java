package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncIndexedTableTest {
  private static final int ROWS = 300;
  private static final Query QUERY = Query.where("price >= 0").caching(10);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final FakeCluster cluster = new FakeCluster();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());
  private final ExecutorService executor = Executors.newFixedThreadPool(3);
  private final AsyncIndexedTable table = spyhop.asyncTable(FakeCluster.TABLE, executor);
  private List<String> expected;

  @BeforeEach
  void fill() throws IOException {
    IndexDefinition price =
        IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build();
    cluster.descriptor = IndexSchema.withIndex(cluster.descriptor, price);
    for (int i = 0; i < ROWS; i++) {
      String region = List.of("a", "g", "p").get(i % 3);
      cluster.put(region + String.format("%04d", i), "d:price", Bytes.toBytes((long) i));
    }
    expected = new ArrayList<>();
    try (RowCursor rows = spyhop.table(FakeCluster.TABLE).query(QUERY)) {
      rows.forEach(row -> expected.add(Bytes.toString(row.getRow())));
    }
    assertThat(expected).hasSize(ROWS);
  }

  @AfterEach
  void close() {
    executor.shutdownNow();
    spyhop.close();
  }

  /** Takes rows, and does something with each; notes what breaks the contract. */
  private static class Consumer implements AdvancedScanResultConsumer {
    private final BiConsumer<Consumer, ScanController> onRow;
    private final AtomicInteger within = new AtomicInteger();
    private final List<String> rows = new ArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private volatile Throwable error;
    private volatile ScanResumer resumer;

    Consumer(BiConsumer<Consumer, ScanController> onRow) {
      this.onRow = onRow;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      assertThat(within.incrementAndGet()).as("calls at a time").isEqualTo(1);
      assertThat(ends).isEmpty();
      for (Result row : results) {
        rows.add(Bytes.toString(row.getRow()));
      }
      onRow.accept(this, controller);
      within.decrementAndGet();
    }

    @Override
    public void onError(Throwable e) {
      error = e;
      ends.add("error");
    }

    @Override
    public void onComplete() {
      ends.add("complete");
    }
  }

  private void awaitNoScanners() {
    await().until(() -> cluster.openScanners.get() == 0);
  }

  @Test
  void rowsComeInOrderThroughSuspensions() {
    for (int seed = 0; seed < 20; seed++) {
      Random r = new Random(seed);
      Consumer consumer =
          new Consumer(
              (c, controller) -> {
                int draw = r.nextInt(6);
                if (draw == 0) {
                  controller.suspend().resume();
                } else if (draw == 1) {
                  var resumer = controller.suspend();
                  executor.execute(resumer::resume);
                } else if (draw == 2) {
                  var resumer = controller.suspend();
                  executor.execute(
                      () -> {
                        while (c.within.get() != 0) {
                          Thread.onSpinWait();
                        }
                        resumer.resume();
                        resumer.resume();
                      });
                }
              });
      table.query(QUERY, consumer).join();
      assertThat(consumer.rows).as("seed %s", seed).isEqualTo(expected);
      assertThat(consumer.ends).containsExactly("complete");
    }
    awaitNoScanners();
  }

  @Test
  void aSuspendedQueryHoldsNoThread() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    Consumer slow = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> end =
        spyhop.asyncTable(FakeCluster.TABLE, one).query(QUERY.limit(2), slow);
    await().until(() -> slow.resumer != null);
    assertThat(one.submit(() -> "ran").get()).isEqualTo("ran");
    assertThat(end).isNotDone();
    var first = slow.resumer;
    first.resume();
    await().until(() -> slow.resumer != first);
    slow.resumer.resume();
    end.join();
    assertThat(slow.rows).isEqualTo(expected.subList(0, 2));
    one.shutdown();
  }

  @Test
  void whoTerminatesHasSeenEnough() {
    Consumer consumer =
        new Consumer(
            (c, controller) -> {
              if (c.rows.size() == 7) {
                controller.terminate();
              }
            });
    table.query(QUERY, consumer).join();
    assertThat(consumer.rows).isEqualTo(expected.subList(0, 7));
    assertThat(consumer.ends).containsExactly("complete");
    awaitNoScanners();
  }

  @Test
  void aControllerIsForOneCallAndOneUse() {
    List<AdvancedScanResultConsumer.ScanController> late = new ArrayList<>();
    Consumer consumer =
        new Consumer(
            (c, controller) -> {
              late.forEach(
                  l ->
                      assertThatThrownBy(l::suspend)
                          .isInstanceOf(IllegalStateException.class)
                          .hasMessageContaining("once"));
              late.clear();
              late.add(controller);
              if (c.rows.size() == 2) {
                controller.suspend().resume();
                assertThatThrownBy(controller::terminate).isInstanceOf(IllegalStateException.class);
              }
            });
    table.query(QUERY.limit(3), consumer).join();
    assertThat(consumer.rows).hasSize(3);
  }

  @Test
  void whoCancelsEndsItWhereverItIs() {
    Consumer suspended = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> end = table.query(QUERY, suspended);
    await().until(() -> suspended.resumer != null);
    end.cancel(true);
    await().until(() -> !suspended.ends.isEmpty());
    assertThat(suspended.error).isInstanceOf(QueryCancelledException.class);
    suspended.resumer.resume();

    CountDownLatch asked = new CountDownLatch(1);
    cluster.brokenScans =
        scan -> {
          asked.countDown();
          try {
            NEVER.await();
            return null;
          } catch (InterruptedException e) {
            return new InterruptedIOException("interrupted");
          }
        };
    Consumer waiting = new Consumer((c, controller) -> {});
    CompletableFuture<Void> other = table.query(QUERY, waiting);
    CompletableFuture<List<Result>> all = table.queryAll(QUERY);
    await().until(() -> asked.getCount() == 0);
    other.cancel(true);
    all.cancel(true);
    await().until(() -> !waiting.ends.isEmpty());
    assertThat(waiting.error).isInstanceOf(QueryCancelledException.class);
    assertThat(waiting.ends).containsExactly("error");
    assertThat(suspended.ends).containsExactly("error");
    executor.shutdown();
    await().atMost(Duration.ofSeconds(30)).until(executor::isTerminated);
  }

  /** However it came to be suspended, and whether or not the executor takes anything then. */
  @Test
  void theTimeEndsWhatIsSuspended() {
    Duration time = Duration.ofSeconds(2);
    Consumer suspended = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> end = table.query(QUERY.timeout(time), suspended);
    Consumer inTheCall =
        new Consumer(
            (c, controller) -> {
              await().until(end::isDone);
              c.resumer = controller.suspend();
            });
    CompletableFuture<Void> other = table.query(QUERY.timeout(time.dividedBy(2)), inTheCall);
    ExecutorService shut = Executors.newSingleThreadExecutor();
    Consumer refused = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> last =
        spyhop.asyncTable(FakeCluster.TABLE, shut).query(QUERY.timeout(time), refused);
    await().until(() -> refused.resumer != null && refused.within.get() == 0);
    shut.shutdown();

    for (CompletableFuture<Void> ended : List.of(end, other, last)) {
      assertThat(ended)
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableOfType(java.util.concurrent.ExecutionException.class)
          .withCauseInstanceOf(QueryCancelledException.class)
          .withMessageContaining("was not answered within");
    }
    awaitNoScanners();
    for (Consumer consumer : List.of(suspended, inTheCall, refused)) {
      assertThat(consumer.error).isInstanceOf(QueryCancelledException.class);
      consumer.resumer.resume();
      consumer.resumer.resume();
      assertThat(consumer.rows).hasSize(1);
    }
    executor.shutdown();
    await().until(executor::isTerminated);
    for (Consumer consumer : List.of(suspended, inTheCall, refused)) {
      assertThat(consumer.ends).containsExactly("error");
    }
  }

  /** What it holds of servers is given up at once; who is to be told waits for a thread. */
  @Test
  void theTimeClosesScannersWhileTheExecutorIsBusy() {
    ExecutorService one = Executors.newSingleThreadExecutor();
    CountDownLatch busy = new CountDownLatch(1);
    Consumer suspended = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> end =
        spyhop
            .asyncTable(FakeCluster.TABLE, one)
            .query(QUERY.caching(1).timeout(Duration.ofSeconds(2)), suspended);
    await().until(() -> suspended.resumer != null && suspended.within.get() == 0);
    one.execute(
        () -> {
          try {
            busy.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    awaitNoScanners();
    assertThat(end).isNotDone();
    suspended.resumer.resume();
    busy.countDown();
    assertThat(end).failsWithin(Duration.ofSeconds(20));
    one.shutdown();
    await().until(one::isTerminated);
    assertThat(suspended.ends).containsExactly("error");
    assertThat(suspended.error).isInstanceOf(QueryCancelledException.class);
  }

  /** Time, resuming and cancelling meet in all orders: who ends it is one of them. */
  @Test
  void oneEndIsToldWhoeverIsFirst() {
    for (int seed = 0; seed < 200; seed++) {
      Random r = new Random(seed);
      Consumer consumer =
          new Consumer(
              (c, controller) -> {
                c.resumer = controller.suspend();
                var resumer = c.resumer;
                if (r.nextInt(20) != 0) {
                  executor.execute(resumer::resume);
                }
              });
      Query query = QUERY.timeout(Duration.ofMillis(1 + r.nextInt(30)));
      CompletableFuture<Void> end = table.query(query, consumer);
      if (r.nextInt(4) == 0) {
        executor.execute(() -> end.cancel(true));
      }
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> !consumer.ends.isEmpty() && end.isDone());
      if (consumer.error != null) {
        assertThat(consumer.error).as("seed %s", seed).isInstanceOf(QueryCancelledException.class);
      }
      assertThat(consumer.ends).as("seed %s", seed).hasSize(1);
    }
    awaitNoScanners();
  }

  @Test
  void theAnswersAreThoseOfTheTable() {
    assertThat(table.queryAll(QUERY).join())
        .extracting(row -> Bytes.toString(row.getRow()))
        .isEqualTo(expected);
    List<String> paged = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      RowPage page = table.page(QUERY, 70, token).join();
      page.rows().forEach(row -> paged.add(Bytes.toString(row.getRow())));
      token = page.next();
    } while (token.isPresent());
    assertThat(paged).isEqualTo(expected);
  }

  @Test
  void whatGoesWrongIsToldByTheFuture() {
    assertThat(table.queryAll(Query.where("nowhere = 1")))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(IllegalArgumentException.class);
    Consumer consumer = new Consumer((c, controller) -> {});
    assertThat(table.query(Query.where("nowhere = 1"), consumer))
        .failsWithin(Duration.ofSeconds(20));
    assertThat(consumer.error).hasMessageContaining("nowhere");

    cluster.brokenScans = scan -> new IOException("a broken disk");
    assertThat(table.queryAll(QUERY))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withMessageContaining("a broken disk")
        .withCauseInstanceOf(IOException.class);
    cluster.brokenScans = scan -> null;

    Consumer throwing =
        new Consumer(
            (c, controller) -> {
              throw new IllegalStateException("cannot take it");
            });
    assertThat(table.query(QUERY, throwing)).failsWithin(Duration.ofSeconds(20));
    assertThat(throwing.error).hasMessage("cannot take it");
    assertThat(throwing.rows).hasSize(1);
    awaitNoScanners();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable e) throws E {
    throw (E) e;
  }

  @Test
  void whateverAConsumerThrowsIsTheError() {
    for (Throwable thrown :
        List.of(
            new InterruptedException("of Kotlin"),
            new UncheckedIOException(new IOException("its own")),
            new StackOverflowError("deep"))) {
      Consumer throwing =
          new Consumer((c, controller) -> AsyncIndexedTableTest.<RuntimeException>sneak(thrown));
      assertThat(table.query(QUERY, throwing)).failsWithin(Duration.ofSeconds(20));
      assertThat(throwing.error).isSameAs(thrown);
    }
    awaitNoScanners();
    RuntimeException atTheEnd = new RuntimeException("at the end");
    Consumer consumer =
        new Consumer((c, controller) -> {}) {
          @Override
          public void onComplete() {
            throw atTheEnd;
          }

          @Override
          public void onError(Throwable e) {
            super.onError(e);
            throw atTheEnd;
          }
        };
    AsyncIndexedTable direct = spyhop.asyncTable(FakeCluster.TABLE, Runnable::run);
    assertThat(direct.query(QUERY, consumer)).isCompletedExceptionally();
    assertThat(consumer.ends).isEmpty();
    assertThat(direct.query(Query.where("nowhere = 1"), consumer)).isCompletedExceptionally();
    assertThat(consumer.ends).containsExactly("error");
  }

  @Test
  void whoCancelsAfterTheExecutorWasShutDownHasCancelled() {
    Consumer suspended = new Consumer((c, controller) -> c.resumer = controller.suspend());
    CompletableFuture<Void> end = table.query(QUERY, suspended);
    await().until(() -> suspended.resumer != null && suspended.within.get() == 0);
    executor.shutdown();
    await().until(executor::isTerminated);
    end.cancel(true);
    assertThat(suspended.error).isInstanceOf(QueryCancelledException.class);
    awaitNoScanners();
  }

  /** Cursors that are open when the client is closed have their time still. */
  @Test
  void aClosedClientRefusesAndEndsInTime() throws IOException {
    IndexedTable known = spyhop.table(FakeCluster.TABLE);
    try (RowCursor cursor = known.query(QUERY.timeout(Duration.ofMillis(500)))) {
      var rows = cursor.iterator();
      rows.next();
      spyhop.close();
      assertThatThrownBy(() -> known.explain(QUERY)).isInstanceOf(IllegalStateException.class);
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(rows::next).hasCauseInstanceOf(QueryCancelledException.class));
    }
  }

  @Test
  void aReaderHasTheTypesOfNow() throws IOException {
    IndexedTable known = spyhop.table(FakeCluster.TABLE);
    known.declaredTypes();
    IndexDefinition name =
        IndexDefinition.builder("name").column("d:name").type(ValueType.STRING).build();
    cluster.descriptor = IndexSchema.withIndex(cluster.descriptor, name);
    cluster.put("a0000", "d:name", Bytes.toBytes("x"));
    RowReader reader = known.reader();
    try (RowCursor rows = known.query(Query.where("price = 0"))) {
      assertThat(reader.get(rows.iterator().next(), "d:name")).isEqualTo("x");
    }
    assertThatThrownBy(() -> reader.get(Result.EMPTY_RESULT, "CAST(d:n AS NOTYPE)"))
        .hasMessageContaining("NOTYPE")
        .hasMessageNotContaining("AGGREGATE");
  }

  @Test
  void anExecutorThatTakesNothingIsAnErrorAtOnce() {
    Executor none =
        task -> {
          throw new RejectedExecutionException("full");
        };
    AsyncIndexedTable refused = spyhop.asyncTable(FakeCluster.TABLE, none);
    assertThat(refused.queryAll(QUERY)).isCompletedExceptionally();
    Consumer consumer = new Consumer((c, controller) -> {});
    assertThat(refused.query(QUERY, consumer)).isCompletedExceptionally();
    assertThat(consumer.error).hasMessage("full");
  }
}
