package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.LastKnown;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table's regions as the client last saw them. They only say where to cut the work and which
 * servers to ask: an old list costs speed, not rows. Thread-safe.
 */
public final class KeySpace {
  private final LastKnown<Listing> regions;
  private volatile int listed;

  /**
   * One list.
   *
   * @param byStart regions by start key, in order
   * @param servers of each server its first region
   */
  private record Listing(
      NavigableMap<byte[], HRegionLocation> byStart, Map<ServerName, HRegionLocation> servers) {}

  /** The regions that a reader lists, read again beside the queries when they are that old. */
  public KeySpace(
      IoSupplier<List<HRegionLocation>> reader,
      Duration maxAge,
      LongSupplier nanoTime,
      Executor beside) {
    this.regions =
        new LastKnown<>((asker, sending) -> listing(reader.get()), maxAge, nanoTime, beside);
  }

  /** The regions of a table. */
  public static KeySpace of(
      Connection connection, TableName table, Duration maxAge, Executor beside) {
    return new KeySpace(
        () -> TableInfo.regions(connection, table), maxAge, System::nanoTime, beside);
  }

  private Listing listing(List<HRegionLocation> all) {
    NavigableMap<byte[], HRegionLocation> byStart = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    all.forEach(r -> byStart.put(r.getRegion().getStartKey(), r));
    Map<ServerName, HRegionLocation> servers = new HashMap<>();
    byStart.values().stream()
        .filter(r -> r.getServerName() != null)
        .forEach(r -> servers.putIfAbsent(r.getServerName(), r));
    listed = byStart.size();
    return new Listing(byStart, servers);
  }

  /** How many regions were listed last. */
  int listed() {
    return listed;
  }

  /** The regions by start key, in order. Nobody may write to it. */
  NavigableMap<byte[], HRegionLocation> regions() throws IOException {
    return regions.get().byStart;
  }

  /** The servers that have regions, each with the first one. Nobody may write to it. */
  Map<ServerName, HRegionLocation> servers() throws IOException {
    return regions.get().servers;
  }

  /** The server that has the region of a row, as far as is known; null if it is on none. */
  public ServerName server(byte[] row) throws IOException {
    Map.Entry<byte[], HRegionLocation> region = regions.get().byStart.floorEntry(row);
    return region == null ? null : region.getValue().getServerName();
  }

  /** The listed regions that have keys in some of the ranges, in order, each once. */
  public List<HRegionLocation> overlapping(List<RowRange> ranges) throws IOException {
    NavigableMap<byte[], HRegionLocation> all = regions.get().byStart;
    NavigableMap<byte[], HRegionLocation> some = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (RowRange range : ranges) {
      byte[] first = all.floorKey(range.start());
      NavigableMap<byte[], HRegionLocation> from = first == null ? all : all.tailMap(first, true);
      some.putAll(range.stop().length == 0 ? from : from.headMap(range.stop(), false));
    }
    return new ArrayList<>(some.values());
  }

  /** Ranges cut at regions' boundaries: ranges that together are exactly these. */
  public List<RowRange> cut(RowRanges rows) throws IOException {
    return rows.cut(regions.get().byStart.navigableKeySet());
  }

  /** Some region answered with boundaries that are not on the list. */
  void outdated() {
    regions.outdate();
  }
}
