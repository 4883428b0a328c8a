package io.spyhop.server.index.global;

import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** All that an index table's region does: its only part. Thread-safe. */
public final class IndexTablePart implements RegionPart {
  private final HRegion region;
  private final TableName table;
  private final Optional<GlobalService> tables;
  private final RemovalGuard guard;
  private volatile boolean open;

  /**
   * The part of a region that is about to open.
   *
   * @param tables this server's; none where Spyhop could not be started
   */
  public IndexTablePart(HRegion region, Optional<GlobalService> tables) {
    this.region = region;
    this.table = region.getRegionInfo().getTable();
    this.tables = tables;
    this.guard = tables.map(GlobalService::guard).orElseGet(RemovalGuard::closed);
  }

  @Override
  public void opened() {
    tables.ifPresent(
        t -> {
          open = true;
          t.indexOpened(region);
        });
  }

  @Override
  public void closing() {
    if (open) {
      tables.orElseThrow().indexClosing(region);
    }
  }

  @Override
  public void closed() {
    closing();
  }

  /** The region; null until it is open, and where Spyhop could not be started. */
  public HRegion region() {
    return open ? region : null;
  }

  /** Everything of global indexes; there if {@link #region} is. */
  public GlobalService tables() {
    return tables.orElse(null);
  }

  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    guard.check(table, batch);
  }

  @Override
  public void written(MiniBatchOperationInProgress<Mutation> batch) {
    tables.ifPresent(t -> t.written(region, batch));
  }

  @Override
  public void unwritten(Throwable failure) throws IOException {
    throw new DoNotRetryIOException(
        "Spyhop: cannot check a write to '" + table + "': " + failure, failure);
  }

  @Override
  public String toString() {
    return region.toString();
  }
}
