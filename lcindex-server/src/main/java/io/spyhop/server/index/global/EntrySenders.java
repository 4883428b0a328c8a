package io.spyhop.server.index.global;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The ways to the servers that hold one index table. Thread-safe. */
final class EntrySenders {
  private final AsyncTable<?> table;
  private final AsyncTableRegionLocator locator;
  private final EntrySender.Detour detour;
  private final Map<ServerName, EntrySender> lanes = new ConcurrentHashMap<>();

  /** Where regions were last seen, by first row. A wrong place costs a call, nothing else. */
  private final NavigableMap<byte[], HRegionLocation> places =
      new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

  /**
   * @param table of bounded timeouts
   * @param detour for entries whose region is not where it was
   */
  EntrySenders(AsyncTable<?> table, AsyncTableRegionLocator locator, EntrySender.Detour detour) {
    this.table = table;
    this.locator = locator;
    this.detour = detour;
  }

  /**
   * Sends entries to where their regions are; completed when all are acknowledged.
   *
   * @param entries fastest in row order
   */
  CompletableFuture<?> send(List<Put> entries) {
    Map<ServerName, List<Put>> known = new HashMap<>();
    List<Put> unknown = new ArrayList<>();
    HRegionLocation at = null;
    List<Put> left = unknown;
    for (Put p : entries) {
      if (at == null || !at.getRegion().containsRow(p.getRow())) {
        at = place(p.getRow());
        left =
            at == null
                ? unknown
                : known.computeIfAbsent(at.getServerName(), s -> new ArrayList<>());
      }
      left.add(p);
    }
    List<CompletableFuture<?>> sent = new ArrayList<>();
    if (!unknown.isEmpty()) {
      sent.add(detour.write(unknown));
    }
    known.forEach((server, puts) -> sent.add(lane(server).add(puts)));
    return CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]));
  }

  private EntrySender lane(ServerName server) {
    return lanes.computeIfAbsent(server, s -> new EntrySender(this::call, puts -> lost(s, puts)));
  }

  private CompletableFuture<byte[]> call(byte[] row, byte[] batch) {
    return ServerCalls.write(table, row, Question.WRITE, batch);
  }

  /** A server did not take them all: it is asked for nothing more before it is found again. */
  private CompletableFuture<?> lost(ServerName server, List<Put> puts) {
    locator.clearRegionLocationCache();
    places.values().removeIf(l -> l.getServerName().equals(server));
    lanes.remove(server);
    return detour.write(puts);
  }

  /** Null if it must be looked up first. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private HRegionLocation place(byte[] row) {
    Map.Entry<byte[], HRegionLocation> at = places.floorEntry(row);
    if (at != null && at.getValue().getRegion().containsRow(row)) {
      return at.getValue();
    }
    CompletableFuture<HRegionLocation> found = locator.getRegionLocation(row);
    found.thenAccept(this::found);
    boolean now = found.isDone() && !found.isCompletedExceptionally();
    return now && found.join().getServerName() != null ? found.join() : null;
  }

  private void found(HRegionLocation location) {
    if (location.getServerName() != null) {
      places.put(location.getRegion().getStartKey(), location);
    }
  }
}
