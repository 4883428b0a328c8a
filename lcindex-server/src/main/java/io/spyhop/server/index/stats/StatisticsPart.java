package io.spyhop.server.index.stats;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.index.BatchOperations;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.ServerRuntime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * A region's statistics. They fail no write: what cannot be recorded is read later, and until then
 * the region says that it does not know. Thread-safe.
 */
public final class StatisticsPart implements RegionPart {
  private final RegionContext context;
  private volatile RegionStatistics statistics;
  private volatile StatisticsJobs jobs;

  public StatisticsPart(RegionContext context) {
    this.context = context;
  }

  @Override
  public String loss() {
    return "HFiles are read for their statistics";
  }

  @Override
  public void opens() throws IOException {
    HRegion region = context.region();
    statistics =
        new RegionStatistics(
            region,
            context.schema(),
            () -> ForeignObservers.watch(region),
            context.service(LogMemory.class),
            context.service(StatisticsMemory.class));
  }

  @Override
  public void opened() {
    jobs =
        new StatisticsJobs(
            context.service(ServerRuntime.class),
            context.service(ServerMetrics.class),
            context.region(),
            statistics);
    digests().opened(table(), statistics);
  }

  private ServerDigests digests() {
    return context.service(ServerDigests.class);
  }

  private TableName table() {
    return context.region().getTableDescriptor().getTableName();
  }

  @Override
  public void definitions(IndexSchema schema) {
    if (statistics.schema(schema)) {
      changed();
    }
  }

  private void changed() {
    StatisticsJobs open = jobs;
    if (open != null) {
      open.changed();
    }
  }

  @Override
  public void refresh(boolean mayChange) {
    changed();
  }

  @Override
  public void closing() {
    StatisticsJobs open = jobs;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void closed() {
    closing();
    if (statistics != null) {
      digests().closed(table(), statistics);
      statistics.close();
    }
  }

  @Override
  public void loaded(boolean done) {
    changed();
  }

  /** The statistics; null before the region opens. */
  public RegionStatistics statistics() {
    return statistics;
  }

  @Override
  public boolean isKept() {
    return isOn();
  }

  private boolean isOn() {
    RegionStatistics current = statistics;
    return current != null && current.isOn();
  }

  /** A write that is not recorded is in the memstore, which is read once this write has ended. */
  @Override
  public void unwritten(Throwable failure) {
    statistics.lost();
  }

  /** Within the region's lock for updates. */
  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) {
    if (isOn()) {
      BatchOperations.forEach(batch, this::record);
    }
  }

  /** Cells that a coprocessor has added get the TTL of the client's operation. */
  private void record(Mutation mutation, Mutation client) {
    boolean ttl = mutation.getTTL() != Long.MAX_VALUE || client.getTTL() != Long.MAX_VALUE;
    for (Map.Entry<byte[], List<Cell>> e : mutation.getFamilyCellMap().entrySet()) {
      statistics.write(e.getKey(), e.getValue(), ttl);
    }
  }

  @Override
  public void write(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    if (isOn()) {
      record(mutation, cells);
    }
  }

  private void record(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    Map<byte[], List<Cell>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Pair<Cell, Cell> p : cells) {
      byte[] family = CellUtil.cloneFamily(p.getSecond());
      byFamily.computeIfAbsent(family, f -> new ArrayList<>()).add(p.getSecond());
    }
    boolean ttl = mutation.getTTL() != Long.MAX_VALUE;
    byFamily.forEach((family, added) -> statistics.write(family, added, ttl));
  }

  @Override
  public void flushing() {
    if (statistics != null) {
      statistics.flushing();
    }
  }

  @Override
  public InternalScanner flushing(Store store, InternalScanner scanner) {
    return statistics == null ? scanner : statistics.snapshotTaken((HStore) store, scanner);
  }

  @Override
  public void flushed(Store store, StoreFile file) {
    if (statistics != null) {
      statistics.written((HStore) store, file);
    }
  }

  @Override
  public void flushed() {
    if (statistics != null) {
      statistics.flushed();
      changed();
    }
  }

  @Override
  public InternalScanner compacting(
      Store store, InternalScanner scanner, CompactionRequest request) {
    return statistics == null ? scanner : statistics.compacting((HStore) store, request, scanner);
  }

  @Override
  public void compacted(Store store, StoreFile result, CompactionRequest request) {
    if (statistics != null) {
      statistics.compacted((HStore) store, request, result);
      changed();
    }
  }

  @Override
  public List<IndexState> states() {
    return statistics.states();
  }

  @Override
  public byte[] answer(RegionRequest request, Get get) throws IOException {
    if (request.kind() != RegionRequest.Kind.SUMMARY) {
      return null;
    }
    byte[] digest = get.getAttribute(Attributes.DIGEST);
    return digest == null
        ? statistics.answer(SummaryRequest.decode(request.payload())).encode()
        : digests().answer(table(), DigestRequest.decode(digest)).encode();
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
