package io.spyhop.server.hook;

import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.global.RegionGlobals;
import io.spyhop.server.global.RemovalGuard;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a region does with writes on behalf of its global indexes. Until these are known, and where
 * Spyhop could not be started, a table that has some takes no writes: one that passed by its index
 * would be lost to queries for ever. Thread-safe.
 */
final class RegionWrites {
  private static final Logger LOG = LoggerFactory.getLogger(RegionWrites.class);

  private volatile RegionGlobals globals;
  private volatile String refusal = "";
  private volatile IndexTableWrites ofIndex;

  /** The region opens, its indexes are not known yet. */
  void opens(TableDescriptor table) {
    boolean indexed;
    try {
      indexed = !IndexSchema.of(table).only(IndexKind.GLOBAL).isEmpty();
    } catch (Throwable t) {
      LOG.error("Cannot read the indexes of {}", table.getTableName(), t);
      indexed = true;
    }
    if (indexed) {
      refusal =
          "table '"
              + table.getTableName()
              + "' has global indexes, and Spyhop does not run on this server: see its log";
    }
  }

  /**
   * The region opens and is an index table's.
   *
   * @param guard this server's; none where Spyhop could not be started
   */
  void ofIndex(TableName table, Optional<RemovalGuard> guard) {
    ofIndex = new IndexTableWrites(table, guard.orElseGet(RemovalGuard::closed));
  }

  /** The region's indexes are known. */
  void opened(RegionGlobals known, RegionGlobals.Definitions definitions) {
    globals = known;
    known.opened(definitions);
    refusal = "";
  }

  /** The region closes, and is still written. */
  void close() {
    RegionGlobals g = globals;
    if (g != null) {
      g.closing();
    }
  }

  /** The region has closed. */
  void closed() {
    RegionGlobals g = globals;
    if (g != null) {
      g.closed();
    }
  }

  /** The region's indexes, or null. */
  RegionGlobals globals() {
    return globals;
  }

  /** A batch is about to be written. */
  void batch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    IndexTableWrites its = ofIndex;
    if (its == null) {
      guarded(g -> g.write(batch));
    } else {
      its.batch(batch);
    }
  }

  /** An increment or append is about to be written. */
  void results(List<Pair<Cell, Cell>> cells) throws IOException {
    guarded(g -> g.write(cells));
  }

  /** HFiles are about to be loaded. */
  void load(List<Pair<byte[], String>> files) throws IOException {
    guarded(g -> g.load(files));
  }

  /** The thread's HFiles are loaded, or will not be. */
  void loaded() {
    RegionGlobals g = globals;
    if (g != null) {
      g.loaded();
    }
  }

  @FunctionalInterface
  private interface Write {
    void to(RegionGlobals globals) throws IOException;
  }

  private void guarded(Write write) throws IOException {
    if (!refusal.isEmpty()) {
      throw new RegionTooBusyException(refusal);
    }
    RegionGlobals g = globals;
    if (g == null) {
      return;
    }
    try {
      write.to(g);
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      LOG.error("Writing the entries of {} failed in Spyhop", g, t);
      RegionTooBusyException e =
          new RegionTooBusyException("Spyhop: cannot index a write to " + g + ": " + t);
      e.initCause(t);
      throw e;
    }
  }
}
