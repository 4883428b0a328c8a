package io.spyhop.server.hook;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.ServerCalls;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Refuses the calls of everybody but superusers in a region of an index table, each replica of it
 * included ({@link ReservedTables}). It depends on nothing else of Spyhop: it holds where Spyhop
 * could not be started, too. Spyhop's own endpoint checks its callers itself.
 *
 * <p>HBase calls these hooks with the user of the RPC whenever the thread serves one: what reads or
 * writes an index table's region within a client's call does so without hooks, or with the call
 * unset.
 */
abstract class GuardedRegion
    implements RegionCoprocessor, RegionObserver, EndpointObserver, BulkLoadObserver {
  private static final String READ = "read";
  private static final String WRITE = "write";

  /** The index table, or null if the region is another table's. */
  private volatile TableName indexTable;

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    TableName table = ((RegionCoprocessorEnvironment) env).getRegionInfo().getTable();
    indexTable = IndexTable.isReserved(table) ? table : null;
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<BulkLoadObserver> getBulkLoadObserver() {
    return Optional.of(this);
  }

  private void require(ObserverContext<? extends RegionCoprocessorEnvironment> c, String what)
      throws IOException {
    TableName guarded = indexTable;
    if (guarded != null) {
      ReservedTables.requireSystem(c.getCaller(), guarded, what);
    }
  }

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    require(c, READ);
  }

  @Override
  public boolean preExists(ObserverContext<RegionCoprocessorEnvironment> c, Get get, boolean exists)
      throws IOException {
    require(c, READ);
    return exists;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    require(c, READ);
  }

  /** A scanner's number can be guessed. */
  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext)
      throws IOException {
    require(c, READ);
    return hasNext;
  }

  @Override
  public void preScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) throws IOException {
    require(c, READ);
  }

  /** All mutations come here, in batches or alone, with or without a condition. */
  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    require(c, WRITE);
  }

  /** Whether the condition holds tells of what is stored, before anything is written. */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    require(c, WRITE);
    return result;
  }

  @Override
  public void prePrepareBulkLoad(ObserverContext<RegionCoprocessorEnvironment> c)
      throws IOException {
    require(c, WRITE);
  }

  @Override
  public void preCleanupBulkLoad(ObserverContext<RegionCoprocessorEnvironment> c)
      throws IOException {
    require(c, WRITE);
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws IOException {
    require(c, WRITE);
  }

  /** HBase replays edits for any caller, without asking for rights; recovery is no call. */
  @Override
  public void preWALRestore(
      ObserverContext<? extends RegionCoprocessorEnvironment> c,
      RegionInfo region,
      WALKey key,
      WALEdit edit)
      throws IOException {
    require(c, WRITE);
  }

  /** Endpoints of others read and write the region past all hooks. */
  @Override
  public Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Service service,
      String method,
      Message request)
      throws IOException {
    if (!ServerCalls.isOwn(service)) {
      require(c, "call services of");
    }
    return request;
  }
}
