package io.spyhop.server.index.global;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * The metrics of one server's global indexes, but for those of their repair; {@code
 * docs/operations.md} explains each. Thread-safe.
 */
final class GlobalMetrics {
  /** How long writes of a base table wait for their entries in one index. */
  final Histogram writeMicros;

  /** Writes of a base table's entries that failed. */
  final Counter failedWrites;

  private final MetricRegistry registry;

  /** In a registry. */
  GlobalMetrics(MetricRegistry registry) {
    this.registry = registry;
    writeMicros = registry.histogram("spyhopEntryWriteMicros");
    failedWrites = registry.counter("spyhopEntryWritesFailed");
  }

  /**
   * Shows what is not built, and how busy the handlers for writes to index tables are.
   *
   * @param unbuilt the index table of each index that lacks entries of an open region, for each
   *     such region
   */
  void observe(Supplier<Stream<TableName>> unbuilt, Supplier<RpcScheduler> scheduler) {
    gauge("spyhopBuildingIndexes", () -> unbuilt.get().distinct().count());
    gauge("spyhopUnbuiltRegions", () -> unbuilt.get().count());
    gauge("spyhopIndexHandlersBusy", () -> IndexRpcScheduler.busy(scheduler.get()));
    gauge("spyhopIndexCallsWaiting", () -> IndexRpcScheduler.waiting(scheduler.get()));
  }

  private <T> void gauge(String name, Gauge<T> value) {
    registry.register(name, value);
  }
}
