package io.spyhop.server.index.global;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Holds one delete back that has arrived, as a full queue of calls does, before it locks a row. */
public class HoldingObserver implements RegionCoprocessor, RegionObserver {
  /** One delete that is held. */
  static final class Held {
    final CountDownLatch arrived = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final CountDownLatch landed = new CountDownLatch(1);
    private volatile Thread thread;
  }

  private static final AtomicReference<Held> NEXT = new AtomicReference<>();

  /** The last one that has arrived. */
  private static volatile Held last;

  /** Holds the next delete. */
  static Held next() {
    Held held = new Held();
    NEXT.set(held);
    return held;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Delete delete,
      WALEdit edit,
      Durability durability)
      throws IOException {
    Held held = NEXT.getAndSet(null);
    if (held == null) {
      return;
    }
    held.thread = Thread.currentThread();
    last = held;
    held.arrived.countDown();
    try {
      if (!held.released.await(60, TimeUnit.SECONDS)) {
        throw new IOException("nobody releases " + delete);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  /** The delete is made, or refused. */
  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    Held held = last;
    if (held != null && held.thread == Thread.currentThread()) {
      held.landed.countDown();
    }
  }
}
