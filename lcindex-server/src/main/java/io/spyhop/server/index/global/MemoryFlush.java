package io.spyhop.server.index.global;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.index.global.repair.RegionRepair;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.FlushRequester;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * Has a family of a region flushed by the server's own threads: a thread of Spyhop's may be
 * interrupted, and a flush that is interrupted aborts the server. Stateless.
 */
final class MemoryFlush {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long PAUSE_MILLIS = 50;

  private MemoryFlush() {}

  /**
   * Returns when everything is in HFiles that was in the family's memstore, and when nothing comes
   * back from the log any more that the memstore had dropped.
   *
   * @param repair the region's
   * @throws IOException if that takes long, or what the check throws
   */
  static void run(
      FlushRequester flushes, HRegion region, RegionRepair repair, byte[] family, IoRunnable check)
      throws IOException {
    HStore store = region.getStore(family);
    long generation = repair.generation();
    long until = System.nanoTime() + PATIENCE.toNanos();
    CompletableFuture<Void> flush = CompletableFuture.completedFuture(null);
    while (store != null && !isEmpty(store) && !repair.isFlushed(family, generation)) {
      check.run();
      if (System.nanoTime() - until > 0) {
        throw new IOException(region + " was not flushed in " + PATIENCE);
      }
      if (flush.isDone()) {
        flush = new CompletableFuture<>();
        flushes.requestFlush(region, List.of(family), tracker(flush));
      }
      pause(flush);
    }
  }

  private static boolean isEmpty(HStore store) {
    return store.getMemStoreSize().getDataSize() == 0 && store.getSnapshotSize().getDataSize() == 0;
  }

  private static FlushLifeCycleTracker tracker(CompletableFuture<Void> flush) {
    return new FlushLifeCycleTracker() {
      @Override
      public void notExecuted(String reason) {
        flush.completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }

      @Override
      public void afterExecution() {
        flush.completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    };
  }

  private static void pause(CompletableFuture<Void> flush) throws IOException {
    try {
      flush.get(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return;
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      throw Interruption.of("a flush", e);
    }
  }
}
