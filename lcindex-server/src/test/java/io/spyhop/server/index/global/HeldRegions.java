package io.spyhop.server.index.global;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Keeps regions from being closed or flushed, as a slow file system does. */
public class HeldRegions implements RegionCoprocessor, RegionObserver {
  private static final Map<String, Held> CLOSES = new ConcurrentHashMap<>();
  private static final Map<String, Held> FLUSHES = new ConcurrentHashMap<>();

  /** The calls that are held. */
  static final class Held {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    boolean hasArrived() {
      return arrived.getCount() == 0;
    }

    void release() {
      released.countDown();
    }

    private void await() throws IOException {
      arrived.countDown();
      try {
        if (!released.await(120, TimeUnit.SECONDS)) {
          throw new IOException("nobody releases a region");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Holds the region before it closes, while it is still written. */
  static Held close(HRegion region) throws IOException {
    return hold(region, CLOSES);
  }

  /** Holds every flush of the region before it begins. */
  static Held flush(HRegion region) throws IOException {
    return hold(region, FLUSHES);
  }

  private static Held hold(HRegion region, Map<String, Held> all) throws IOException {
    Held held = new Held();
    all.put(region.getRegionInfo().getEncodedName(), held);
    region
        .getCoprocessorHost()
        .load(HeldRegions.class, Coprocessor.PRIORITY_HIGHEST, region.getReadOnlyConfiguration());
    return held;
  }

  private static void await(ObserverContext<RegionCoprocessorEnvironment> c, Map<String, Held> all)
      throws IOException {
    Held held = all.get(c.getEnvironment().getRegionInfo().getEncodedName());
    if (held != null) {
      held.await();
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort)
      throws IOException {
    await(c, CLOSES);
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker)
      throws IOException {
    await(c, FLUSHES);
  }
}
