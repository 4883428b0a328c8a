package io.spyhop.server.runtime;

import io.spyhop.core.schema.IndexSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** A table's index definitions as one open region knows them. Thread-safe. */
public final class RegionSchema implements Closeable {
  private final TableSchemas tables;
  private final TableName table;
  private final Consumer<IndexSchema> changes;
  private final long opened = System.nanoTime();
  private volatile IndexSchema current;

  RegionSchema(
      TableSchemas tables, TableName table, IndexSchema schema, Consumer<IndexSchema> changes) {
    this.tables = tables;
    this.table = table;
    this.current = schema;
    this.changes = changes;
  }

  TableName table() {
    return table;
  }

  /** The definitions, as last read. */
  public IndexSchema current() {
    return current;
  }

  void take(IndexSchema schema) {
    current = schema;
    changes.accept(schema);
  }

  /** Reads the definitions again. */
  public void refresh() throws IOException {
    tables.refresh(this);
  }

  /**
   * Reads the definitions again for the call that is served, or takes what was read since the call
   * came: a call that asks many regions has them read once. For callers who may not change the
   * table readings are rationed: beyond some the call waits for the next. What was read before the
   * region opened would put an older state in the place of that with which it opened.
   *
   * @param mayChange whether the caller may change the table
   * @throws org.apache.hadoop.hbase.RegionTooBusyException if too many of the caller's calls wait;
   *     clients try again
   */
  public void refreshForCall(boolean mayChange) throws IOException {
    long now = System.nanoTime();
    long age =
        RpcServer.getCurrentCall()
            .map(call -> EnvironmentEdgeManager.currentTime() - call.getReceiveTime())
            .orElse(0L);
    // Both times are cut to milliseconds.
    long agoNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, age - 1));
    long after = now - Math.min(agoNanos, now - opened);
    Optional<String> rationed =
        mayChange ? Optional.empty() : Optional.of(RpcServer.getRequestUserName().orElse(""));
    tables.refresh(this, new SharedReadings.Terms(after, rationed));
  }

  @Override
  public void close() {
    tables.closed(this);
  }
}
