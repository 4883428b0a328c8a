package io.spyhop.bench.mdrq;

import io.spyhop.bench.Parallel;
import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegion.FlushResult.Result;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;

/** The region servers of an embedded HBase, looked at from within. Thread-safe. */
public final class Servers {
  /** As many as HBase's own by default. */
  private static final int FLUSHERS = 2;

  private final Supplier<List<HRegionServer>> running;

  /**
   * The contents of a region's stores.
   *
   * @param name of the region
   * @param hfiles how many HFiles
   * @param hfileBytes their size
   * @param memstoreCells cells in memstores
   * @param memstoreBytes size of these cells
   */
  public record Contents(
      String name, int hfiles, long hfileBytes, long memstoreCells, long memstoreBytes) {}

  /**
   * @param running those that run now, in this JVM
   */
  public Servers(Supplier<List<HRegionServer>> running) {
    this.running = running;
  }

  /** The regions of a table. */
  List<Contents> regions(TableName table) {
    return running.get().stream()
        .flatMap(server -> server.getRegions(table).stream())
        .map(Servers::contents)
        .toList();
  }

  private static Contents contents(HRegion region) {
    List<HStore> stores = region.getStores();
    return new Contents(
        region.getRegionInfo().getRegionNameAsString(),
        stores.stream().mapToInt(HStore::getStorefilesCount).sum(),
        stores.stream().mapToLong(HStore::getStorefilesSize).sum(),
        stores.stream().mapToLong(s -> s.getMemStoreSize().getCellsCount()).sum(),
        stores.stream().mapToLong(s -> s.getMemStoreSize().getDataSize()).sum());
  }

  /**
   * Bytes that were read from files since the servers started, of all file systems: what replaces
   * these statistics has one of several with a scheme.
   */
  @SuppressWarnings("deprecation")
  long bytesRead() {
    return FileSystem.getAllStatistics().stream()
        .mapToLong(FileSystem.Statistics::getBytesRead)
        .sum();
  }

  /**
   * Writes the memstores of a table into HFiles, and returns at once when that is done: {@code
   * Admin.flush} looks for it after pauses of up to a second.
   */
  void flush(TableName table) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(FLUSHERS);
    try {
      Parallel.all(
          pool,
          running.get().stream()
              .flatMap(server -> server.getRegions(table).stream())
              .map(Servers::flushing)
              .toList());
    } finally {
      pool.shutdownNow();
    }
  }

  /** A flush that HBase has begun itself may come in between. */
  private static Callable<Void> flushing(HRegion region) {
    return () -> {
      do {
        region.waitForFlushes();
      } while (region.flush(/* flushAllStores= */ true).getResult() == Result.CANNOT_FLUSH);
      return null;
    };
  }

  /**
   * Empties the block caches, so that the next read is from files. Spyhop remembers blocks until
   * they are collected.
   */
  void dropBlocks() {
    for (HRegionServer server : running.get()) {
      server.getBlockCache().ifPresent(Servers::empty);
    }
    System.gc();
  }

  /**
   * Gives block caches another size while something is done.
   *
   * @param bytes of each server's, if that is less than it has
   */
  void withCaches(long bytes, IoRunnable work) throws IOException {
    Map<ResizableBlockCache, Long> sizes = new HashMap<>();
    for (HRegionServer server : running.get()) {
      server
          .getBlockCache()
          .map(ResizableBlockCache.class::cast)
          .ifPresent(cache -> sizes.put(cache, cache.getMaxSize()));
    }
    sizes.forEach((cache, size) -> cache.setMaxSize(Math.min(size, bytes)));
    try {
      work.run();
    } finally {
      sizes.forEach(ResizableBlockCache::setMaxSize);
    }
  }

  private static void empty(BlockCache cache) {
    Set<String> files =
        StreamSupport.stream(cache.spliterator(), false)
            .map(CachedBlock::getFilename)
            .collect(Collectors.toSet());
    files.forEach(cache::evictBlocksByHfileName);
  }
}
