package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** One reads a descriptor, and holds up nobody who has an older one to go by. */
class BaseDescriptorsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final AtomicInteger reads = new AtomicInteger();
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private volatile TableDescriptor stored = TableDescriptorBuilder.newBuilder(TABLE).build();
  private final BaseDescriptors descriptors = new BaseDescriptors(this::read, nanos::get);

  private TableDescriptor read(TableName table) throws IOException {
    assertThat(table).isEqualTo(TABLE);
    reads.incrementAndGet();
    try {
      assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return stored;
  }

  private void pass(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void isReadOnceInAWhile() throws Exception {
    assertThat(descriptors.of(TABLE, "1")).contains(stored);
    pass(4);
    assertThat(descriptors.of(TABLE, "1")).contains(stored);
    assertThat(reads).hasValue(1);
    pass(1);
    assertThat(descriptors.of(TABLE, "1")).contains(stored);
    assertThat(reads).hasValue(2);
  }

  @Test
  void whoHasAnOlderOneDoesNotWait() throws Exception {
    TableDescriptor old = stored;
    assertThat(descriptors.of(TABLE, "1")).contains(old);
    stored = TableDescriptorBuilder.newBuilder(TABLE).setValue("a", "b").build();
    hold = new CountDownLatch(1);
    pass(6);
    CompletableFuture<Object> slow =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return descriptors.of(TABLE, "1");
              } catch (IOException e) {
                return e;
              }
            });
    while (reads.get() < 2) {
      Thread.onSpinWait();
    }
    assertThat(descriptors.of(TABLE, "1")).contains(old);
    pass(30);
    assertThat(descriptors.of(TABLE, "1")).as("too old to go by").isEmpty();
    hold.countDown();
    slow.get(60, TimeUnit.SECONDS);
    assertThat(reads).hasValue(2);
    assertThat(descriptors.of(TABLE, "1")).contains(stored);
  }

  @Test
  void ofAnotherTableOfTheSameName() throws Exception {
    TableDescriptor old = stored;
    assertThat(descriptors.of(TABLE, "1")).contains(old);
    stored = TableDescriptorBuilder.newBuilder(TABLE).setValue("a", "b").build();
    assertThat(descriptors.of(TABLE, "2")).contains(stored);
    assertThat(descriptors.of(TABLE, "1")).contains(old);
  }

  @Test
  void ofATableThatIsNotThere() throws Exception {
    stored = null;
    assertThat(descriptors.of(TABLE, "1")).isEmpty();
    assertThat(descriptors.of(TABLE, "1")).isEmpty();
    assertThat(reads).hasValue(2);
  }
}
