package io.spyhop.server.index.global.repair;

import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * A region's flushes and compactions on behalf of its global indexes. Thread-safe. Closes in {@link
 * #closed}: closing a region flushes it.
 */
public final class RepairPart implements RegionPart {
  private final RegionRepair repair;

  public RepairPart(RegionRepair repair) {
    this.repair = repair;
  }

  @Override
  public String loss() {
    return "obsolete entries stay longer";
  }

  @Override
  public void opened() {
    repair.opened();
  }

  @Override
  public void flushing() {
    repair.flushing();
  }

  @Override
  public InternalScanner flushing(Store store, InternalScanner scanner) throws IOException {
    repair.flushing((HStore) store, scanner);
    return scanner;
  }

  @Override
  public void flushed(Store store, StoreFile file) {
    repair.written((HStore) store);
  }

  @Override
  public void flushed() {
    repair.flushed();
  }

  @Override
  public InternalScanner compactingMemory(Store store, InternalScanner scanner) throws IOException {
    repair.compactingMemory((HStore) store, scanner);
    return scanner;
  }

  @Override
  public InternalScanner compacting(Store store, InternalScanner scanner, CompactionRequest request)
      throws IOException {
    repair.compacting((HStore) store, scanner, request);
    return scanner;
  }

  @Override
  public void closed() {
    repair.close();
  }

  public RegionRepair repair() {
    return repair;
  }

  @Override
  public String toString() {
    return repair.toString();
  }
}
