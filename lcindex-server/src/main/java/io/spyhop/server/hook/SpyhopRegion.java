package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.region.Attributes;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.global.GlobalService;
import io.spyhop.server.global.RegionGlobals;
import io.spyhop.server.global.repair.RegionRepair;
import io.spyhop.server.job.RegionMaintainer;
import io.spyhop.server.prune.RegionStatistics;
import io.spyhop.server.query.RegionQueries;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observer of a user table's region: says when files change, answers scans and questions; that
 * of an index table's refuses strangers ({@link GuardedRegion}).
 *
 * <p>A hook that lets anything but an IOException out aborts the region server, so each one catches
 * everything; and only reading hooks report failure, as an index must never stop a write, a flush
 * or a compaction.
 */
@CoreCoprocessor
public class SpyhopRegion extends GuardedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(SpyhopRegion.class);
  private static final byte[] ANSWER = Bytes.toBytes("spyhop");

  private volatile RegionMaintainer maintainer;
  private volatile RegionQueries queries;
  private volatile HRegion indexRegion;
  private volatile GlobalService indexTables;
  private final RegionWrites writes = new RegionWrites();
  private volatile RegionGlobals globals;
  private volatile RepairHooks repairs;
  private volatile StatisticsHooks statistics;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return IndexRegionService.of(() -> indexRegion, () -> indexTables, writes::globals);
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    writes.opens(c.getEnvironment().getRegion().getTableDescriptor());
    try {
      prepare(c.getEnvironment());
    } catch (Throwable t) {
      LOG.error("preOpen failed in Spyhop; the region stays without indexes", t);
    }
  }

  /** Flushes that come before the region is open are watched, too. */
  private void prepare(RegionCoprocessorEnvironment env) throws IOException {
    HRegion region = (HRegion) env.getRegion();
    RegionInfo info = region.getRegionInfo();
    if (info.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      return;
    }
    Optional<SpyhopRegionServer> server = server(env);
    if (IndexTable.isReserved(info.getTable())) {
      writes.ofIndex(info.getTable(), server.map(s -> s.globals().guard()));
    } else if (server.isPresent()) {
      IndexSchema schema = IndexSchema.of(region.getTableDescriptor());
      statistics =
          new StatisticsHooks(
              new RegionStatistics(region, schema, () -> ForeignObservers.watch(region)));
      globals = server.get().globals().open(region, schema);
      repairs = new RepairHooks(globals.repair());
    }
  }

  private static Optional<SpyhopRegionServer> server(RegionCoprocessorEnvironment env) {
    RegionServerServices services = ((HasRegionServerServices) env).getRegionServerServices();
    return services instanceof HRegionServer rs
        ? Optional.ofNullable(
                rs.getRegionServerCoprocessorHost().findCoprocessor(SpyhopRegionServer.class))
            .filter(SpyhopRegionServer::isOn)
        : Optional.empty();
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    quietly("postOpen", () -> open(c.getEnvironment()));
  }

  private void open(RegionCoprocessorEnvironment env) {
    HRegion region = (HRegion) env.getRegion();
    RegionInfo info = region.getRegionInfo();
    if (info.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      return;
    }
    Optional<SpyhopRegionServer> server = server(env);
    if (server.isEmpty()) {
      LOG.warn(
          "{} stays without indexes: {} is not in hbase.coprocessor.regionserver.classes of this"
              + " server, or could not be started",
          info,
          SpyhopRegionServer.class.getName());
    } else if (IndexTable.isReserved(info.getTable())) {
      indexTables = server.get().globals();
      indexRegion = region;
      indexTables.indexOpened(region);
    } else if (globals != null) {
      open(region, server.get());
    }
  }

  private void open(HRegion region, SpyhopRegionServer server) {
    maintainer = server.service().open(region, statistics.statistics(), globals::schema);
    repairs.postOpen();
    writes.opened(globals, maintainer::refresh);
    queries =
        new RegionQueries(
            region,
            server.service().serverName(),
            maintainer.indexes(),
            statistics.statistics(),
            server.queries());
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort) {
    quietly("preClose", this::close);
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort) {
    quietly("postClose", this::close);
    quietly("postClose", writes::closed);
    RepairHooks r = repairs;
    if (r != null) {
      r.close();
    }
  }

  private void close() {
    RegionMaintainer m = maintainer;
    maintainer = null;
    if (m != null) {
      m.close();
    }
    writes.close();
    GlobalService tables = indexTables;
    if (tables != null) {
      tables.indexClosing(indexRegion);
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    super.preBatchMutate(c, batch);
    writes.batch(batch);
    StatisticsHooks s = statistics;
    if (s != null) {
      s.batch(batch);
    }
  }

  @Override
  public void preWALRestore(
      ObserverContext<? extends RegionCoprocessorEnvironment> c,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    super.preWALRestore(c, info, key, edit);
    requireRecovery(c, info);
    RegionGlobals g = globals;
    if (g != null) {
      quietly("preWALRestore", () -> g.restoring(key, edit));
    }
  }

  /**
   * HBase stores replayed edits for whoever calls, past the hooks of writes: neither an index nor a
   * statistic would know of them. Recovery is no call, and secondary replicas have none.
   */
  private void requireRecovery(
      ObserverContext<? extends RegionCoprocessorEnvironment> c, RegionInfo info)
      throws IOException {
    RegionGlobals g = globals;
    StatisticsHooks s = statistics;
    boolean kept = g != null && !g.definitions().isEmpty() || s != null && s.statistics().isOn();
    if (kept && c.getCaller().isPresent() && RegionReplicaUtil.isDefaultReplica(info)) {
      throw new DoNotRetryIOException(
          "table '" + info.getTable() + "' has indexes: edits are written, not replayed by a call");
    }
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation increment,
      List<Pair<Cell, Cell>> cells)
      throws IOException {
    writes.results(cells);
    results(increment, cells);
    return cells;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation append,
      List<Pair<Cell, Cell>> cells)
      throws IOException {
    writes.results(cells);
    results(append, cells);
    return cells;
  }

  private void results(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    StatisticsHooks s = statistics;
    if (s != null) {
      s.results(mutation, cells);
    }
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws IOException {
    super.preBulkLoadHFile(c, files);
    writes.load(files);
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker) {
    StatisticsHooks s = statistics;
    if (s != null) {
      s.preFlush();
    }
    RepairHooks r = repairs;
    if (r != null) {
      r.preFlush();
    }
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile file,
      FlushLifeCycleTracker tracker) {
    StatisticsHooks s = statistics;
    if (s != null) {
      s.postFlush(store, file);
    }
    RepairHooks r = repairs;
    if (r != null) {
      r.postFlush(store);
    }
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    RepairHooks r = repairs;
    InternalScanner read = r == null ? scanner : r.preFlush(store, scanner);
    StatisticsHooks s = statistics;
    return s == null ? read : s.preFlush(store, read);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker) {
    StatisticsHooks s = statistics;
    if (s != null) {
      s.postFlush();
    }
    quietly("postFlush", this::changed);
    RepairHooks r = repairs;
    if (r != null) {
      r.postFlush();
    }
  }

  @Override
  public InternalScanner preMemStoreCompactionCompact(
      ObserverContext<RegionCoprocessorEnvironment> c, Store store, InternalScanner scanner) {
    RepairHooks r = repairs;
    return r == null ? scanner : r.preMemStoreCompactionCompact(store, scanner);
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
    RepairHooks r = repairs;
    InternalScanner read = r == null ? scanner : r.preCompact(store, scanner, request);
    RegionMaintainer m = maintainer;
    if (m != null) {
      quietly("preCompact", () -> m.compactions().begins(request));
    }
    StatisticsHooks s = statistics;
    return s == null ? read : s.preCompact(store, request, read);
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile result,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    StatisticsHooks s = statistics;
    if (s != null) {
      s.postCompact(store, request, result);
    }
    RegionMaintainer m = maintainer;
    if (m != null && result != null) {
      quietly("postCompact", () -> m.compactions().made(request, result.getPath().getName()));
    }
    quietly("postCompact", this::changed);
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c,
      List<Pair<byte[], String>> staged,
      Map<byte[], List<Path>> loaded) {
    quietly("postBulkLoadHFile", writes::loaded);
    quietly("postBulkLoadHFile", this::changed);
  }

  private void changed() {
    RegionMaintainer m = maintainer;
    if (m != null) {
      m.changed();
    }
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner core)
      throws IOException {
    RegionQueries q = queries;
    RegionMaintainer m = maintainer;
    if (q == null || m == null) {
      return core;
    }
    return reported(
        "opening a scanner",
        () -> {
          q.checkDeclared(scan, Definitions.seenBy(c, m));
          return q.open(scan, core);
        });
  }

  @Override
  public void preScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) throws IOException {
    super.preScannerClose(c, scanner);
    RegionQueries.checkOwner(scanner);
  }

  /**
   * Answers a question that travels on a Get. Access control has run before: it has refused the
   * Get, or not. What it let pass may make a region look at its definitions again, and is told
   * those of columns that the caller may read; but counts and plans tell of values, and are told
   * only to those who may read every cell.
   */
  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    super.preGetOp(c, get, result);
    if (get.getAttribute(Attributes.REQUEST) == null) {
      checkDeclared(c, get);
      return;
    }
    byte[] answer =
        reported(
            "answering a request",
            () -> RegionAnswers.answer(c, get, maintainer, queries, globals, statistics));
    byte[] family =
        c.getEnvironment()
            .getRegion()
            .getTableDescriptor()
            .getColumnFamilyNames()
            .iterator()
            .next();
    if (answer.length > 0) {
      result.add(new KeyValue(get.getRow(), family, ANSWER, 1L, answer));
    }
    c.bypass();
  }

  /** Rows that a global index has found are read by Gets with the query's predicate. */
  private void checkDeclared(ObserverContext<RegionCoprocessorEnvironment> c, Get get)
      throws IOException {
    RegionQueries q = queries;
    RegionMaintainer m = maintainer;
    if (q != null && m != null && get.getAttribute(Attributes.DECLARED) != null) {
      reported(
          "reading a row",
          () -> {
            q.checkDeclared(get, Definitions.seenBy(c, m));
            return null;
          });
    }
  }

  /** What keeps the region's indexes; empty where the server has no {@link SpyhopRegionServer}. */
  public Optional<RegionMaintainer> maintainer() {
    return Optional.ofNullable(maintainer);
  }

  /** What repairs the region's global indexes; null before it opens. */
  RegionRepair repair() {
    RepairHooks r = repairs;
    return r == null ? null : r.repair();
  }

  /** Work of a hook that must not fail what it watches. */
  private static void quietly(String what, Runnable work) {
    try {
      work.run();
    } catch (Throwable t) {
      LOG.error("{} failed in Spyhop; the indexes of the region will be behind", what, t);
    }
  }

  /** Work of a reading hook. */
  @FunctionalInterface
  private interface Reading<T> {
    T run() throws IOException;
  }

  private static <T> T reported(String what, Reading<T> work) throws IOException {
    try {
      return work.run();
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      LOG.error("{} failed in Spyhop", what, t);
      throw new DoNotRetryIOException("Spyhop: " + what + " failed: " + t, t);
    }
  }
}
