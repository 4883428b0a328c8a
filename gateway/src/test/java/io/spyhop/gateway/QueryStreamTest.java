package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.QueryCancelledException;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A query waits for its client, ends with it, and sends nothing before it knows something. */
class QueryStreamTest {
  private static final int ROWS = 100;
  private static final int BATCH = 10;
  private static TableName numbers;

  @BeforeAll
  static void start() throws Exception {
    GatewayCluster.start();
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      BigDecimal number = i == 0 ? new BigDecimal("1E-30") : BigDecimal.valueOf(i);
      rows.add(
          new Put(Bytes.toBytes(String.format("n%03d", i)))
              .addColumn(GatewayCluster.D, Bytes.toBytes("m"), Bytes.toBytes(number)));
    }
    numbers = GatewayCluster.table("numbers", Map.of("m", ValueType.DECIMAL), rows);
  }

  /** Takes batches when it is told to. */
  private static final class Taker implements ServerStreamListener {
    private volatile boolean ready;
    private volatile boolean started;
    private volatile int batches;

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void start(VectorSchemaRoot root, DictionaryProvider provider, IpcOption option) {
      started = true;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    public void putNext() {
      batches++;
    }

    @Override
    public void putNext(ArrowBuf metadata) {
      putNext();
    }

    @Override
    public void putMetadata(ArrowBuf metadata) {
      throw new AssertionError("there is none");
    }

    @Override
    public void error(Throwable ex) {
      throw new AssertionError("the producer says it", ex);
    }

    @Override
    public void completed() {
      throw new AssertionError("the producer says it");
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}
  }

  private final Taker taker = new Taker();

  private QueryStream stream(Duration time) {
    var limits = new GatewaySettings.Limits(1, 64 << 20, time, 1, BATCH, 1 << 20);
    return new QueryStream(taker, limits, time);
  }

  private static CompletableFuture<Void> run(QueryStream stream, String where) {
    byte[] json = Client.json("{'version':1,'table':'numbers','where':'" + where + "'}");
    QueryRequest request = QueryRequest.parse(json, Duration.ofMinutes(5));
    return CompletableFuture.runAsync(
        () -> {
          try (BufferAllocator memory = new RootAllocator()) { // which tells what is not given back
            Answer answer = Answer.of(GatewayCluster.spyhop().table(numbers), request);
            stream.run(answer, memory);
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  @Test
  void waitsUntilItsClientTakesMore() {
    QueryStream stream = stream(Duration.ofMinutes(5));
    CompletableFuture<Void> end = run(stream, "m >= 1");
    await().until(() -> taker.started);
    assertThat(taker.batches).isZero();
    assertThat(end).isNotDone();
    taker.ready = true;
    stream.ready();
    end.join();
    assertThat(taker.batches).isEqualTo(ROWS / BATCH);
  }

  @Test
  void endsWithItsClient() {
    QueryStream stream = stream(Duration.ofMinutes(5));
    CompletableFuture<Void> end = run(stream, "m >= 1");
    await().until(() -> taker.started);
    stream.cancel();
    assertThatThrownBy(end::join).hasCauseInstanceOf(QueryCancelledException.class);
    assertThat(taker.batches).isZero();
  }

  @Test
  void endsIfItsClientWentBeforeItBegan() {
    QueryStream stream = stream(Duration.ofMinutes(5));
    stream.cancel();
    CompletableFuture<Void> end = run(stream, "m >= 1");
    assertThatThrownBy(end::join).hasStackTraceContaining("it was cancelled");
    assertThat(taker.started).isFalse();
  }

  @Test
  void endsIfItsClientTakesNothingInTime() {
    CompletableFuture<Void> end = run(stream(Duration.ofMillis(1)), "m >= 1");
    assertThatThrownBy(end::join)
        .hasCauseInstanceOf(QueryCancelledException.class)
        .hasMessageContaining("its rows were not taken in time");
  }

  @Test
  void sendsNothingBeforeTheFirstBatchIsThere() {
    taker.ready = true;
    CompletableFuture<Void> end = run(stream(Duration.ofMinutes(5)), "m < 5");
    assertThatThrownBy(end::join).hasCauseInstanceOf(UnrepresentableValueException.class);
    assertThat(taker.started).isFalse();
  }

  /** Values would be read by the type that the column had. */
  @Test
  void aColumnThatIsDeclaredAnewEndsIt() throws Exception {
    byte[] d = GatewayCluster.D;
    Put put = new Put(d).addColumn(d, Bytes.toBytes("v"), Bytes.toBytes(7L));
    Map<String, ValueType> columns = Map.of("v", ValueType.LONG, "w", ValueType.LONG);
    TableName anew = GatewayCluster.table("anew", columns, List.of(put));
    IndexAdmin admin = GatewayCluster.spyhop().admin();
    for (String where : List.of("v IS NOT NULL", "w IS NULL")) {
      admin.dropIndex(anew, "i_v");
      admin.createIndex(anew, v(ValueType.LONG));
      byte[] json = Client.json("{'version':1,'table':'anew','where':'" + where + "'}");
      QueryRequest request = QueryRequest.parse(json, Duration.ofMinutes(5));
      Answer answer = Answer.of(GatewayCluster.spyhop().table(anew), request);
      admin.dropIndex(anew, "i_v");
      admin.createIndex(anew, v(ValueType.STRING));
      try (BufferAllocator memory = new RootAllocator()) {
        assertThatThrownBy(() -> stream(Duration.ofSeconds(10)).run(answer, memory))
            .hasMessage("column 'v' of table 'anew' has just been declared as STRING: ask again");
      }
      assertThat(taker.started).isFalse();
    }
  }

  private static IndexDefinition v(ValueType type) {
    return IndexDefinition.builder("i_v").column("d:v").type(type).kind(IndexKind.STATS).build();
  }
}
