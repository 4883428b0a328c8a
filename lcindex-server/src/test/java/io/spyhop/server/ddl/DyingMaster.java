package io.spyhop.server.ddl;

import io.spyhop.server.hook.SpyhopMaster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/** A master that can be told to die behind a step of a global index's life. */
public final class DyingMaster extends SpyhopMaster {
  private final Map<String, Runnable> deadly = new ConcurrentHashMap<>();
  private final Map<String, Runnable> harmless = new ConcurrentHashMap<>();
  private volatile boolean refuses = true;

  /**
   * Ends the master behind a step. Nothing that the step's thread would do afterwards is done.
   *
   * @param death ends it without waiting
   */
  public void dieBehind(String step, Runnable death) {
    deadly.put(step, death);
  }

  /**
   * Does something behind a step, once, and goes on.
   *
   * @param what may take its time: the step's thread waits for it
   */
  public void behind(String step, Runnable what) {
    harmless.put(step, what);
  }

  /** Has everything truncated from now on, as a master without Spyhop would begin it. */
  void refuseNothing() {
    refuses = false;
  }

  @Override
  public void preTruncateRegion(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo region) {
    if (refuses) {
      super.preTruncateRegion(c, region);
    }
  }

  @Override
  public void preTruncateRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo region) {
    if (refuses) {
      super.preTruncateRegionAction(c, region);
    }
  }

  @Override
  protected void done(String step) throws IOException {
    Runnable once = harmless.remove(step);
    if (once != null) {
      once.run();
    }
    Runnable death = deadly.remove(step);
    if (death != null) {
      death.run();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException) new InterruptedIOException("dead").initCause(e);
      }
    }
  }
}
