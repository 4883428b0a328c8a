package org.apache.hadoop.hbase.regionserver;

/** Compactions within a memstore, which HBase otherwise starts by size. */
public final class MemStoreCompactions {
  private MemStoreCompactions() {}

  /** Runs one; it may go on in the background. */
  public static void start(HStore store) {
    ((CompactingMemStore) store.memstore).flushInMemory();
  }

  /** Whether one is running. */
  public static boolean isRunning(HStore store) {
    return ((CompactingMemStore) store.memstore).isMemStoreFlushingInMemory();
  }
}
