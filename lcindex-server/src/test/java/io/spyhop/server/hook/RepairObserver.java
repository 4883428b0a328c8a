package io.spyhop.server.hook;

import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * The hooks of the repair alone, with a queue that the test has made. The region's own repair,
 * which knows no index and takes every list and note for one of an index that is no more, does
 * nothing.
 */
public class RepairObserver implements RegionCoprocessor, RegionObserver {
  /** What makes the repair of a table's regions. */
  static final Map<TableName, Function<HRegion, RegionRepair>> TABLES = new ConcurrentHashMap<>();

  /** How many lists there were each time before a flush or compaction has committed. */
  static final List<Integer> LISTS_BEFORE_COMMIT = new CopyOnWriteArrayList<>();

  private volatile RepairPart repair;
  private volatile RegionParts parts = RegionParts.NONE;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  RegionRepair repair() {
    return repair.repair();
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    HRegion region = (HRegion) c.getEnvironment().getRegion();
    TableName table = region.getTableDescriptor().getTableName();
    repair = new RepairPart(TABLES.get(table).apply(region));
    parts = new RegionParts(List.of(repair));
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    HRegion region = (HRegion) c.getEnvironment().getRegion();
    region.getCoprocessorHost().findCoprocessor(SpyhopRegion.class).repair().close();
    repair.opened();
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort) {
    parts.closed();
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker) {
    parts.flushing();
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    return parts.flushing(store, scanner);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile result,
      FlushLifeCycleTracker tracker) {
    parts.flushed(store, result);
    countLists(c);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker) {
    parts.flushed();
  }

  @Override
  public InternalScanner preMemStoreCompactionCompact(
      ObserverContext<RegionCoprocessorEnvironment> c, Store store, InternalScanner scanner) {
    return parts.compactingMemory(store, scanner);
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    return parts.compacting(store, scanner, request);
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile result,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    countLists(c);
  }

  private static void countLists(ObserverContext<RegionCoprocessorEnvironment> c) {
    HRegion region = (HRegion) c.getEnvironment().getRegion();
    LISTS_BEFORE_COMMIT.add(lists(region).size());
  }

  /** The repair lists of a region's table. */
  static List<Path> lists(HRegion region) {
    FileSystem fs = region.getRegionFileSystem().getFileSystem();
    Path directory = new Path(region.getRegionFileSystem().getTableDir(), ".spyhop-repair");
    try {
      return fs.exists(directory)
          ? java.util.Arrays.stream(fs.listStatus(directory)).map(s -> s.getPath()).toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
