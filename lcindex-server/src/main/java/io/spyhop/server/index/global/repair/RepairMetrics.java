package io.spyhop.server.index.global.repair;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** The metrics of one server's repair; {@code docs/operations.md} explains each. Thread-safe. */
public final class RepairMetrics {
  /** Obsolete versions found by flushes and compactions. */
  public final Counter found;

  /** Entries deleted. */
  public final Counter deleted;

  /** Entries looked at that have a cell. */
  public final Counter kept;

  /** Entries handed to other regions. */
  public final Counter forwarded;

  /**
   * Reported entries that were not looked at, as too many waited, their rows are other regions', or
   * it failed too often.
   */
  public final Counter dropped;

  /** Flushes and compactions whose obsolete versions are not known; reads will find them. */
  public final Counter lost;

  /** Entries of lists that no cell can have, and that nothing was done about. */
  public final Counter unsound;

  /** Failures, each followed by another try unless it was the last. */
  public final Counter retries;

  private final MetricRegistry registry;

  /** Counters in a registry. */
  public RepairMetrics(MetricRegistry registry) {
    this.registry = registry;
    found = registry.counter("spyhopRepairsFound");
    deleted = registry.counter("spyhopRepairsDeleted");
    kept = registry.counter("spyhopRepairsKept");
    forwarded = registry.counter("spyhopRepairsForwarded");
    dropped = registry.counter("spyhopRepairsDropped");
    lost = registry.counter("spyhopRepairsLost");
    unsound = registry.counter("spyhopRepairsUnsound");
    retries = registry.counter("spyhopRepairsRetried");
  }

  void observe(IntSupplier waiting, IntSupplier givenUp, LongSupplier lagSeconds) {
    gauge("spyhopRepairsWaiting", waiting::getAsInt);
    gauge("spyhopRepairsGivenUp", givenUp::getAsInt);
    gauge("spyhopRepairLagSeconds", lagSeconds::getAsLong);
  }

  private <T> void gauge(String name, Gauge<T> value) {
    registry.register(name, value);
  }
}
