package io.spyhop.server.hook;

import io.spyhop.server.global.repair.RegionRepair;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of a region's flushes and compactions on behalf of its global indexes. Only {@link
 * #preCompact} throws, which fails a compaction; thrown anywhere else, an exception would abort the
 * server. Thread-safe.
 */
final class RepairHooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairHooks.class);

  private final RegionRepair repair;

  RepairHooks(RegionRepair repair) {
    this.repair = repair;
  }

  /** Work of a hook that must not fail what it watches. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private void quietly(String what, Work work) {
    try {
      work.run();
    } catch (Throwable t) {
      LOG.error("{} of {} failed in Spyhop; obsolete entries stay longer", what, repair, t);
    }
  }

  void postOpen() {
    quietly("postOpen", repair::opened);
  }

  void preFlush() {
    quietly("preFlush", repair::flushing);
  }

  InternalScanner preFlush(Store store, InternalScanner scanner) {
    quietly("preFlush", () -> repair.flushing((HStore) store, scanner));
    return scanner;
  }

  void postFlush(Store store) {
    quietly("postFlush", () -> repair.written((HStore) store));
  }

  void postFlush() {
    quietly("postFlush", repair::flushed);
  }

  InternalScanner preMemStoreCompactionCompact(Store store, InternalScanner scanner) {
    quietly("preMemStoreCompactionCompact", () -> repair.compactingMemory((HStore) store, scanner));
    return scanner;
  }

  InternalScanner preCompact(Store store, InternalScanner scanner, CompactionRequest request)
      throws IOException {
    try {
      repair.compacting((HStore) store, scanner, request);
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      LOG.error("preCompact of {} failed in Spyhop; obsolete entries stay longer", repair, t);
    }
    return scanner;
  }

  RegionRepair repair() {
    return repair;
  }

  /** To be called in postClose: closing a region flushes it. */
  @Override
  public void close() {
    quietly("closing", repair::close);
  }
}
