package io.spyhop.server.index;

import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * The work of one kind of index in one region. A part overrides the hooks that it cares about; the
 * region's parts are called one after the other, in the order that the list of parts says.
 *
 * <p>A part need not guard itself. What it throws is logged with {@link #loss()} and kept from
 * HBase, with three exceptions: an {@link IOException} of a write fails the write, one of {@link
 * #compacting} fails the compaction, and whatever a reading hook throws fails the read. An
 * unchecked exception of a write comes back to the part as {@link #unwritten}. A part that narrows
 * reads only must not fail writes.
 *
 * <p>Hooks before {@link #opened} are called while the region opens: edits are restored and
 * flushed. Implementations are thread-safe: writes, flushes, compactions and reads come at once.
 */
public interface RegionPart {
  /** What is lost when a hook fails, for the log. */
  default String loss() {
    return "the indexes of the region will be behind";
  }

  /** The region is about to open: flushes may follow, writes of clients not yet. */
  default void opens() throws IOException {}

  /** The region is open. Not called if {@link #opens} of any part has failed. */
  default void opened() throws IOException {}

  /** The table's definitions have been read again. */
  default void definitions(IndexSchema schema) {}

  /** The region closes; it is still written and flushed. May come twice, or not at all. */
  default void closing() {}

  /** The region has closed. {@link #closing} may not have come before. */
  default void closed() {}

  /** Whether something is kept that edits which pass by the writing hooks would make wrong. */
  default boolean isKept() {
    return false;
  }

  /** A batch is about to be written, within the locks of its rows. */
  default void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {}

  /** A batch was applied, or some of it, and can be read; it is not acknowledged yet. */
  default void written(MiniBatchOperationInProgress<Mutation> batch) {}

  /** What an increment or append results in is about to be written; cells before and after. */
  default void write(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {}

  /** HFiles are about to be loaded by this thread; the very list, by family, that HBase has. */
  default void load(List<Pair<byte[], String>> files) throws IOException {}

  /**
   * One of the HFiles that are being loaded is in its store's directory, and about to be read; or
   * it could not be put there.
   *
   * @param from where it was, on the same file system
   */
  default void committed(byte[] family, Path from, Path to) throws IOException {}

  /**
   * A writing hook of this part has thrown something unchecked.
   *
   * @throws IOException if the write must fail; otherwise it goes on
   */
  default void unwritten(Throwable failure) throws IOException {}

  /**
   * The thread's HFiles are loaded, or will not be.
   *
   * @param done whether all are
   */
  default void loaded(boolean done) {}

  /** An edit of a server that was lost is about to be restored. */
  default void restoring(WALKey key, WALEdit edit) throws IOException {}

  /** A flush begins. */
  default void flushing() throws IOException {}

  /** A store's snapshot is about to be written by a flush; returns what is read instead. */
  default InternalScanner flushing(Store store, InternalScanner scanner) throws IOException {
    return scanner;
  }

  /** A flush has written a store's file, which nobody reads yet. */
  default void flushed(Store store, StoreFile file) throws IOException {}

  /** A flush has ended. */
  default void flushed() throws IOException {}

  /** A memstore is compacted in memory; returns what is read instead. */
  default InternalScanner compactingMemory(Store store, InternalScanner scanner)
      throws IOException {
    return scanner;
  }

  /**
   * A compaction is about to read its files; returns what is read instead.
   *
   * @throws IOException if the compaction must fail
   */
  default InternalScanner compacting(
      Store store, InternalScanner scanner, CompactionRequest request) throws IOException {
    return scanner;
  }

  /**
   * A compaction has ended.
   *
   * @param result null if it has left no cells
   */
  default void compacted(Store store, StoreFile result, CompactionRequest request)
      throws IOException {}

  /** A scanner is about to be opened; may change its scan. */
  default void scanning(Scan scan) throws IOException {}

  /** A scanner has been opened; returns what is read instead. */
  default RegionScanner scan(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner core)
      throws IOException {
    return core;
  }

  /** A row is about to be read by a Get with a query's predicate. */
  default void read(ObserverContext<RegionCoprocessorEnvironment> c, Get get) throws IOException {}

  /**
   * A client asks that definitions and states be looked at again.
   *
   * @param mayChange whether the caller may change the table
   */
  default void refresh(boolean mayChange) throws IOException {}

  /** How far the part's indexes are. */
  default List<IndexState> states() {
    return List.of();
  }

  /**
   * Answers a question of a caller who may read the whole table.
   *
   * @return null if the question is for another part; empty if there is nothing to say
   */
  default byte[] answer(RegionRequest request, Get get) throws IOException {
    return null;
  }
}
