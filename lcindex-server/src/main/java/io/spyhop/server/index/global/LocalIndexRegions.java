package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.ServerTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * The regions of index tables that are open on this server: their writes need no call, and no other
 * handler. Thread-safe.
 */
final class LocalIndexRegions {
  private final Map<TableName, NavigableMap<byte[], HRegion>> tables = new ConcurrentHashMap<>();

  private final Predicate<HRegion> online;
  private final Admission admission;

  /**
   * Checks whether there is memory for a write. HBase has clients wait for memory; the writer of
   * entries has rows locked, and a flush may need what it holds (correctness rule 15).
   */
  @FunctionalInterface
  interface Admission {
    /**
     * Returns at once.
     *
     * @throws RegionTooBusyException if there is none now; try again
     */
    void require(HRegion region) throws RegionTooBusyException;
  }

  /**
   * @param online whether a region takes calls: before, it is not known what its writes count for
   */
  LocalIndexRegions(Predicate<HRegion> online, Admission admission) {
    this.online = online;
    this.admission = admission;
  }

  /** A region opens. */
  void add(HRegion region) {
    tables.compute(
        region.getTableDescriptor().getTableName(),
        (t, regions) -> {
          NavigableMap<byte[], HRegion> all =
              regions == null ? new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR) : regions;
          all.put(region.getRegionInfo().getStartKey(), region);
          return all;
        });
  }

  /** A region closes. */
  void remove(HRegion region) {
    tables.computeIfPresent(
        region.getTableDescriptor().getTableName(),
        (t, regions) -> {
          regions.remove(region.getRegionInfo().getStartKey(), region);
          return regions.isEmpty() ? null : regions;
        });
  }

  /** The first regions of index tables that are here. */
  List<HRegion> firsts() {
    return tables.values().stream()
        .map(regions -> regions.get(HConstants.EMPTY_START_ROW))
        .filter(r -> r != null && online.test(r))
        .toList();
  }

  /** The regions of index tables that are here. */
  List<HRegion> all() {
    return tables.values().stream()
        .flatMap(regions -> regions.values().stream())
        .filter(online)
        .toList();
  }

  /** Mutations of regions that are here, by region; the others are left in a list. */
  record Parts(Map<HRegion, List<Mutation>> here, List<Mutation> elsewhere) {}

  /**
   * Sorts mutations by where they go.
   *
   * @param mutations fastest in row order
   */
  Parts part(TableName table, List<? extends Mutation> mutations) {
    NavigableMap<byte[], HRegion> regions = tables.get(table);
    if (regions == null) {
      return new Parts(Map.of(), new ArrayList<>(mutations));
    }
    Parts parts = new Parts(new IdentityHashMap<>(), new ArrayList<>());
    HRegion region = null;
    List<Mutation> left = parts.elsewhere;
    for (Mutation m : mutations) {
      if (region == null || !HRegion.rowIsInRange(region.getRegionInfo(), m.getRow())) {
        region = find(regions, m.getRow());
        left =
            region == null
                ? parts.elsewhere
                : parts.here.computeIfAbsent(region, r -> new ArrayList<>());
      }
      left.add(m);
    }
    return parts;
  }

  /** Null if the row's region is not here, or takes no calls. */
  private HRegion find(NavigableMap<byte[], HRegion> regions, byte[] row) {
    Map.Entry<byte[], HRegion> at = regions.floorEntry(row);
    boolean here =
        at != null
            && HRegion.rowIsInRange(at.getValue().getRegionInfo(), row)
            && online.test(at.getValue());
    return here ? at.getValue() : null;
  }

  /** Whether a row's region is here and takes calls. */
  boolean has(TableName table, byte[] row) {
    NavigableMap<byte[], HRegion> regions = tables.get(table);
    return regions != null && find(regions, row) != null;
  }

  /**
   * Writes entries that another server sends, and syncs the log once for all regions.
   *
   * @param puts that leave the log unsynced
   * @return which of them, counted from 0, have not been written, as their regions are not here
   * @throws IOException if a put was not made; any of the others may have been made all the same
   */
  List<Integer> write(TableName table, List<Put> puts) throws IOException {
    return make(table, puts, this::write);
  }

  /**
   * Deletes entries, and syncs the log once for all regions.
   *
   * @return which of them, counted from 0, have not been deleted, as their regions are not here
   * @throws IOException if it is too late for one of them, or another server was meant; any of the
   *     others may be deleted all the same
   */
  List<Integer> remove(TableName table, ServerTime fence, List<Entry> entries) throws IOException {
    return make(table, entries.stream().map(e -> e.delete(fence)).toList(), this::remove);
  }

  /** Applies mutations to one region; false if it is not here any more. */
  @FunctionalInterface
  private interface Way {
    boolean make(HRegion region, List<Mutation> mutations) throws IOException;
  }

  private List<Integer> make(TableName table, List<? extends Mutation> mutations, Way way)
      throws IOException {
    Parts parts = part(table, mutations);
    Set<Mutation> elsewhere = Collections.newSetFromMap(new IdentityHashMap<>());
    elsewhere.addAll(parts.elsewhere);
    Set<WAL> logs = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Map.Entry<HRegion, List<Mutation>> part : parts.here.entrySet()) {
      if (way.make(part.getKey(), part.getValue())) {
        logs.add(part.getKey().getWAL());
      } else {
        elsewhere.addAll(part.getValue());
      }
    }
    for (WAL log : logs) {
      log.sync();
    }
    if (elsewhere.isEmpty()) {
      return List.of();
    }
    return IntStream.range(0, mutations.size())
        .filter(i -> elsewhere.contains(mutations.get(i)))
        .boxed()
        .toList();
  }

  /**
   * Writes to a region as the server's own user, whichever user's call this is.
   *
   * @return false if the region is not here any more
   * @throws IOException if a mutation was not made
   */
  boolean write(HRegion region, List<Mutation> mutations) throws IOException {
    return make(region, mutations, false);
  }

  /**
   * A batch of puts shares the locks of its rows with others; a delete must not: between the check
   * of its fence and its place in the log no put may come to its own.
   */
  private boolean remove(HRegion region, List<Mutation> mutations) throws IOException {
    return make(region, mutations, true);
  }

  /**
   * @param alone whether nobody else writes the rows meanwhile
   */
  private boolean make(HRegion region, List<Mutation> mutations, boolean alone) throws IOException {
    admission.require(region);
    mutations.sort(Comparator.comparing(Mutation::getRow, Bytes.BYTES_COMPARATOR));
    Mutation[] batch = mutations.toArray(new Mutation[0]);
    Optional<RpcCall> call = RpcServer.unsetCurrentCall();
    try {
      for (OperationStatus s :
          region.batchMutate(batch, alone, HConstants.NO_NONCE, HConstants.NO_NONCE)) {
        if (s.getOperationStatusCode() != OperationStatusCode.SUCCESS) {
          throw new IOException(
              "cannot write to "
                  + region
                  + ": "
                  + s.getOperationStatusCode()
                  + " "
                  + s.getExceptionMsg());
        }
      }
      return true;
    } catch (NotServingRegionException e) {
      return false;
    } finally {
      call.ifPresent(RpcServer::setCurrentCall);
    }
  }
}
