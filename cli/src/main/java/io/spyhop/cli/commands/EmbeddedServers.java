package io.spyhop.cli.commands;

import io.spyhop.bench.mdrq.Servers;
import io.spyhop.cli.server.LocalHBase;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;

/** The region servers of an embedded HBase, looked at from within. Thread-safe. */
final class EmbeddedServers implements Servers {
  private final LocalHBase hbase;

  EmbeddedServers(LocalHBase hbase) {
    this.hbase = hbase;
  }

  @Override
  public List<Contents> regions(TableName table) {
    return hbase.regionServers().stream()
        .flatMap(server -> server.getRegions(table).stream())
        .map(EmbeddedServers::contents)
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

  /** Of all file systems: what replaces these statistics has one of several with a scheme. */
  @Override
  @SuppressWarnings("deprecation")
  public long bytesRead() {
    return FileSystem.getAllStatistics().stream()
        .mapToLong(FileSystem.Statistics::getBytesRead)
        .sum();
  }

  @Override
  public void dropBlocks() {
    for (HRegionServer server : hbase.regionServers()) {
      server.getBlockCache().ifPresent(EmbeddedServers::empty);
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
