package io.spyhop.server.index.global;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import io.spyhop.server.index.global.repair.RepairPart;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region's global indexes, and their repair. Until the indexes are known a table that has some
 * takes no writes: one that passed by its index would be lost to queries for ever. The only part
 * that fails writes for an index's sake. Thread-safe.
 */
public final class GlobalPart implements RegionPart {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalPart.class);

  private final RegionContext context;
  private final RefusingPart unknown;
  private volatile RegionGlobals globals;
  private volatile RepairPart repairs;
  private volatile boolean told;
  private volatile boolean open;

  public GlobalPart(RegionContext context) {
    this.context = context;
    this.unknown = new RefusingPart(context.region().getTableDescriptor());
  }

  @Override
  public String loss() {
    return repairs == null ? RegionPart.super.loss() : repairs.loss();
  }

  @Override
  public void opens() {
    globals = context.service(GlobalService.class).open(context.region(), context.schema());
    repairs = new RepairPart(globals.repair());
  }

  @Override
  public void opened() {
    try {
      repairs.opened();
    } catch (Throwable t) {
      LOG.error("postOpen of {} failed in Spyhop; {}", repairs, repairs.loss(), t);
    }
    told = true;
    globals.opened(context::readDefinitions);
    open = true;
  }

  @Override
  public void definitions(IndexSchema schema) {
    globals.schema(schema);
  }

  /** The region is still written. */
  @Override
  public void closing() {
    if (told) {
      globals.closing();
    }
  }

  @Override
  public void closed() {
    try {
      if (told) {
        globals.closing();
        globals.closed();
      }
    } finally {
      if (repairs != null) {
        repairs.closed();
      }
    }
  }

  @Override
  public boolean isKept() {
    RegionGlobals g = globals;
    return g != null && !g.definitions().isEmpty();
  }

  /** The indexes; null until the region is open. */
  public RegionGlobals globals() {
    return told ? globals : null;
  }

  /** What repairs the indexes; null before the region opens. */
  public RepairPart repairs() {
    return repairs;
  }

  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (open) {
      globals.write(batch);
    } else {
      unknown.write(batch);
    }
  }

  @Override
  public void write(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
    if (open) {
      globals.write(cells);
    } else {
      unknown.write(mutation, cells);
    }
  }

  @Override
  public void load(List<Pair<byte[], String>> files) throws IOException {
    if (open) {
      globals.loads().begin(files);
    } else {
      unknown.load(files);
    }
  }

  @Override
  public void unwritten(Throwable failure) throws IOException {
    RegionTooBusyException e =
        new RegionTooBusyException("Spyhop: cannot index a write to " + this + ": " + failure);
    e.initCause(failure);
    throw e;
  }

  @Override
  public void committed(byte[] family, Path from, Path to) throws IOException {
    RegionGlobals g = globals;
    if (g != null) {
      g.loads().committed(family, from, to);
    }
  }

  @Override
  public void loaded(boolean done) {
    if (told) {
      globals.loads().end(done);
      globals.buildRest();
    }
  }

  @Override
  public void restoring(WALKey key, WALEdit edit) {
    RegionGlobals g = globals;
    if (g != null) {
      g.restoring(key, edit);
    }
  }

  @Override
  public void flushing() {
    if (repairs != null) {
      repairs.flushing();
    }
  }

  @Override
  public InternalScanner flushing(Store store, InternalScanner scanner) throws IOException {
    return repairs == null ? scanner : repairs.flushing(store, scanner);
  }

  @Override
  public void flushed(Store store, StoreFile file) {
    if (repairs != null) {
      repairs.flushed(store, file);
    }
  }

  @Override
  public void flushed() {
    if (repairs != null) {
      repairs.flushed();
    }
  }

  @Override
  public InternalScanner compactingMemory(Store store, InternalScanner scanner) throws IOException {
    return repairs == null ? scanner : repairs.compactingMemory(store, scanner);
  }

  @Override
  public InternalScanner compacting(Store store, InternalScanner scanner, CompactionRequest request)
      throws IOException {
    return repairs == null ? scanner : repairs.compacting(store, scanner, request);
  }

  @Override
  public void refresh(boolean mayChange) {
    globals.doubt();
  }

  @Override
  public List<IndexState> states() {
    return globals.states();
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
