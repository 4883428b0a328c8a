package io.spyhop.server.hook;

import io.spyhop.server.global.BatchOperations;
import io.spyhop.server.prune.RegionStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of a region on behalf of its statistics. None throws: what cannot be recorded is read
 * later, and until then the region says that it does not know. Thread-safe.
 */
final class StatisticsHooks {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsHooks.class);

  private final RegionStatistics statistics;

  StatisticsHooks(RegionStatistics statistics) {
    this.statistics = statistics;
  }

  RegionStatistics statistics() {
    return statistics;
  }

  private void quietly(String what, Runnable work) {
    try {
      work.run();
    } catch (Throwable t) {
      LOG.error("{} failed in Spyhop; HFiles are read for their statistics", what, t);
    }
  }

  /** A write that is not recorded is in the memstore, which is read once this write has ended. */
  private void recorded(Runnable write) {
    try {
      write.run();
    } catch (Throwable t) {
      LOG.error("A write could not be recorded in the statistics", t);
      statistics.lost();
    }
  }

  /** A batch is about to be written, within the region's lock for updates. */
  void batch(MiniBatchOperationInProgress<Mutation> batch) {
    if (statistics.isOn()) {
      recorded(() -> record(batch));
    }
  }

  private void record(MiniBatchOperationInProgress<Mutation> batch) {
    BatchOperations.forEach(batch, this::record);
  }

  /** Cells that a coprocessor has added get the TTL of the client's operation. */
  private void record(Mutation mutation, Mutation client) {
    boolean ttl = mutation.getTTL() != Long.MAX_VALUE || client.getTTL() != Long.MAX_VALUE;
    for (Map.Entry<byte[], List<Cell>> e : mutation.getFamilyCellMap().entrySet()) {
      statistics.write(e.getKey(), e.getValue(), ttl);
    }
  }

  /** What an increment or append results in is about to be written. */
  void results(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    if (statistics.isOn()) {
      recorded(() -> record(mutation, cells));
    }
  }

  private void record(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    Map<byte[], List<Cell>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Pair<Cell, Cell> p : cells) {
      byte[] family = CellUtil.cloneFamily(p.getSecond());
      byFamily.computeIfAbsent(family, f -> new ArrayList<>()).add(p.getSecond());
    }
    boolean ttl = mutation.getTTL() != Long.MAX_VALUE;
    byFamily.forEach((family, its) -> statistics.write(family, its, ttl));
  }

  void preFlush() {
    quietly("preFlush", statistics::flushing);
  }

  InternalScanner preFlush(Store store, InternalScanner scanner) {
    return watched("preFlush", scanner, () -> statistics.snapshotTaken((HStore) store, scanner));
  }

  private InternalScanner watched(
      String what, InternalScanner scanner, Supplier<InternalScanner> watching) {
    try {
      return watching.get();
    } catch (Throwable t) {
      LOG.error("{} failed in Spyhop; the HFile is read for its statistics", what, t);
      return scanner;
    }
  }

  void postFlush(Store store, StoreFile file) {
    quietly("postFlush", () -> statistics.written((HStore) store, file));
  }

  void postFlush() {
    quietly("postFlush", statistics::flushed);
  }

  InternalScanner preCompact(Store store, Object request, InternalScanner scanner) {
    return watched(
        "preCompact", scanner, () -> statistics.compacting((HStore) store, request, scanner));
  }

  void postCompact(Store store, Object request, StoreFile file) {
    quietly("postCompact", () -> statistics.compacted((HStore) store, request, file));
  }
}
