package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.AnswerRoom;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.bucket.BucketPart;
import io.spyhop.server.index.global.GlobalPart;
import io.spyhop.server.index.global.IndexTablePart;
import io.spyhop.server.index.global.RefusingPart;
import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairPart;
import io.spyhop.server.index.local.upkeep.LocalPart;
import io.spyhop.server.index.local.upkeep.RegionMaintainer;
import io.spyhop.server.query.RegionQueries;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
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
 * <p>A hook that lets anything but an IOException out aborts the region server, so {@link
 * RegionParts} guards them all. What is done is the parts' ({@link RegionKinds}); this class
 * translates HBase's hooks into theirs.
 */
@CoreCoprocessor
public class SpyhopRegion extends GuardedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(SpyhopRegion.class);
  private static final byte[] ANSWER = Bytes.toBytes("spyhop");

  private volatile RegionParts parts = RegionParts.NONE;
  private volatile boolean known;
  private volatile boolean idle;
  private volatile int loaded;
  private boolean replaced;

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    super.start(env);
    loaded = env.getLoadSequence();
    HRegion region = (HRegion) ((RegionCoprocessorEnvironment) env).getRegion();
    if (region.getCoprocessorHost() != null) {
      observersOf(region).forEach(before -> before.goOnWith(this));
    }
  }

  /**
   * HBase loads the coprocessors of an open region again when a setting has changed that names
   * them, and tells nobody: the first new one goes on with what the old one has.
   */
  private synchronized void goOnWith(SpyhopRegion next) {
    if (!replaced && !next.known) {
      replaced = true;
      next.parts = parts;
      next.known = known;
      next.idle = idle;
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return IndexRegionService.of(
        () -> parts.find(IndexTablePart.class).map(IndexTablePart::region).orElse(null),
        () -> parts.find(IndexTablePart.class).map(IndexTablePart::tables).orElse(null),
        () -> parts.find(GlobalPart.class).map(GlobalPart::globals).orElse(null));
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    TableDescriptor table = c.getEnvironment().getRegion().getTableDescriptor();
    parts = new RegionParts(List.of(new RefusingPart(table)));
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
    if (info.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID || !isWorking(region)) {
      return;
    }
    Optional<SpyhopRegionServer> server = server(env);
    if (IndexTable.isReserved(info.getTable())) {
      parts =
          new RegionParts(
              List.of(new IndexTablePart(region, server.map(SpyhopRegionServer::globals))));
    } else if (server.isPresent()) {
      IndexSchema schema = IndexSchema.of(region.getTableDescriptor());
      parts = new OpenedRegion(region, schema, server.get()).make();
    }
    parts.opens();
    known = true;
  }

  /** All of a region; HBase loads a class again that a table's descriptor names. */
  static List<SpyhopRegion> observersOf(Region region) {
    return ((HRegion) region).getCoprocessorHost().findCoprocessors(SpyhopRegion.class);
  }

  /** Of several the first one works: it has the service, and the site's are loaded first. */
  private boolean isWorking(HRegion region) {
    List<SpyhopRegion> all = observersOf(region);
    if (all.stream().allMatch(other -> loaded <= other.loaded)) {
      return true;
    }
    LOG.warn("{} has loaded {} {} times; one of them works", region, getClass(), all.size());
    idle = true;
    parts = RegionParts.NONE;
    return false;
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
    try {
      open(c.getEnvironment());
    } catch (Throwable t) {
      LOG.error("postOpen failed in Spyhop; the indexes of the region will be behind", t);
    }
  }

  private void open(RegionCoprocessorEnvironment env) throws IOException {
    RegionInfo info = env.getRegion().getRegionInfo();
    SpyhopAccess.forgetMove(((HasRegionServerServices) env).getRegionServerServices(), info);
    if (info.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      return;
    }
    if (server(env).isEmpty()) {
      LOG.warn(
          "{} stays without indexes: {} is not in hbase.coprocessor.regionserver.classes of this"
              + " server, or could not be started",
          info,
          SpyhopRegionServer.class.getName());
    } else if (known) {
      parts.opened();
    }
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort) {
    parts.closing();
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abort) {
    parts.closed();
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    super.preBatchMutate(c, batch);
    parts.write(batch);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    parts.written(batch);
  }

  /** A condition reads its row, past the hook of Gets. */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate check,
      CheckAndMutateResult result)
      throws IOException {
    CheckAndMutateResult known = super.preCheckAndMutate(c, check, result);
    if (!idle) {
      parts.read(c, new Get(check.getRow()));
    }
    return known;
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
    parts.restoring(key, edit);
  }

  /**
   * HBase stores replayed edits for any caller, past the hooks of writes: neither an index nor a
   * statistic would know of them. Recovery is no call, and secondary replicas have none.
   */
  private void requireRecovery(
      ObserverContext<? extends RegionCoprocessorEnvironment> c, RegionInfo info)
      throws IOException {
    if (parts.areKept() && c.getCaller().isPresent() && RegionReplicaUtil.isDefaultReplica(info)) {
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
    parts.write(increment, cells);
    return cells;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation append,
      List<Pair<Cell, Cell>> cells)
      throws IOException {
    parts.write(append, cells);
    return cells;
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws IOException {
    super.preBulkLoadHFile(c, files);
    parts.load(files);
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
      StoreFile file,
      FlushLifeCycleTracker tracker) {
    parts.flushed(store, file);
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
    parts.compacted(store, result, request);
  }

  @Override
  public void postCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> c, byte[] family, Path from, Path to)
      throws IOException {
    parts.committed(family, from, to);
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c,
      List<Pair<byte[], String>> staged,
      Map<byte[], List<Path>> loaded) {
    parts.loaded(loaded != null);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    super.preScannerOpen(c, scan);
    parts.scanning(scan);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner core)
      throws IOException {
    return parts.scan(c, scan, core);
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
    if (idle) {
      return;
    }
    if (get.getAttribute(Attributes.REQUEST) == null) {
      read(c, get, result);
      return;
    }
    byte[] answer = answer(c, get);
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

  /** The bytes of rows that the answer to the call of this thread has so far. */
  private static long answered() {
    return RpcServer.getCurrentCall().map(RpcCall::getResponseCellSize).orElse(0L);
  }

  private void read(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    if (AnswerRoom.isFull(get, answered())) {
      result.add(AnswerRoom.later(get.getRow()));
      c.bypass();
      return;
    }
    try {
      parts.read(c, get);
    } catch (IOException e) {
      Optional<Cell> refusal = Refusal.answer(e, get, get.getRow());
      if (refusal.isEmpty()) {
        throw e;
      }
      result.add(refusal.get());
      c.bypass();
    }
  }

  private byte[] answer(ObserverContext<RegionCoprocessorEnvironment> c, Get get)
      throws IOException {
    try {
      return RegionAnswers.answer(c, get, parts);
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      throw RegionParts.unread("answering a request", c.getEnvironment().getRegion(), t);
    }
  }

  /** What keeps the region's indexes; empty where the server has no {@link SpyhopRegionServer}. */
  public Optional<RegionMaintainer> maintainer() {
    return parts.find(LocalPart.class).map(LocalPart::maintainer);
  }

  /**
   * Makes a region ready to be moved.
   *
   * @param millis how long its writes are held up; 0 to flush it alone, less to let them in again
   * @throws IOException if it cannot be flushed
   */
  static void hold(HRegion region, long millis) throws IOException {
    observersOf(region).forEach(o -> o.parts.find(BucketPart.class).ifPresent(p -> p.hold(millis)));
    if (millis >= 0) {
      HRegion.FlushResult flushed = region.flush(true);
      if (flushed.getResult() == HRegion.FlushResult.Result.CANNOT_FLUSH) {
        throw new IOException(region + " cannot be flushed now");
      }
    }
  }

  /** What repairs the region's global indexes; null before it opens. */
  RegionRepair repair() {
    return parts
        .find(GlobalPart.class)
        .map(GlobalPart::repairs)
        .map(RepairPart::repair)
        .orElse(null);
  }
}
