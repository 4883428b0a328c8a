package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.index.BatchOperations;
import io.spyhop.server.index.global.repair.RegionRepair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hbase.thirdparty.com.google.common.base.Suppliers;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the entries of each write to one region before it is made (DELI, Algorithm 1). A write whose
 * entries are not acknowledged is refused. Thread-safe.
 */
final class RegionWrites {
  private static final Logger LOG = LoggerFactory.getLogger(RegionWrites.class);

  private final HRegion region;
  private final KeptIndexes kept;
  private final IndexWriter writer;
  private final RegionOpening opening;
  private final LaterObservers later;
  private final Supplier<RegionRepair> repair;
  private final Runnable look;

  /**
   * @param repair gives null until the region is open
   * @param look has doubtful indexes looked at soon
   */
  RegionWrites(
      HRegion region,
      KeptIndexes kept,
      IndexWriter writer,
      RegionOpening opening,
      Supplier<RegionRepair> repair,
      Runnable look) {
    this.region = region;
    this.kept = kept;
    this.writer = writer;
    this.opening = opening;
    this.later = new LaterObservers(region);
    this.repair = repair;
    this.look = look;
  }

  /** Adds the entries of a batch, within the row locks of all its rows. */
  void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    List<GlobalIndex> known = written();
    if (!known.isEmpty() && BatchOperations.logAlike(batch, region.getTableDescriptor())) {
      unlogged();
    }
    Supplier<Boolean> open = Suppliers.memoize(() -> ColumnAccess.isOpen(region));
    send(
        known,
        write ->
            BatchOperations.forEach(
                batch,
                (mutation, client) -> {
                  if (mutation != client) {
                    BatchOperations.resolveTimestamps(mutation);
                  }
                  if (mutation != client || !isEntered(mutation, write.index(), open)) {
                    write.add(mutation);
                  }
                }));
  }

  /** Adds what a write brings to an index. */
  private interface Filling {
    void fill(IndexWrite write) throws IOException;
  }

  private void send(List<GlobalIndex> known, Filling filling) throws IOException {
    List<IndexWrite> begun = new ArrayList<>();
    boolean sent = false;
    try {
      for (GlobalIndex index : known) {
        IndexWrite write = new IndexWrite(region, index);
        filling.fill(write);
        begun.add(write);
        send(write);
      }
      sent = true;
    } finally {
      if (!sent) {
        refused(begun);
      }
    }
  }

  /** The write is not made: nothing else will tell of entries that are there nevertheless. */
  private void refused(List<IndexWrite> begun) {
    RegionRepair hints = repair.get();
    if (hints != null) {
      begun.forEach(w -> tell(w.index().definition(), w.entries(), hints::refused));
    }
  }

  /** A write is about to be made that is not in the log, the row locked. */
  private void unlogged() {
    RegionRepair current = repair.get();
    if (current != null) {
      current.removals().unlogged();
    }
  }

  /**
   * Whether a client has written the mutation's entry; its row is locked. Where no tickets are
   * given none is believed.
   *
   * @param open whether nobody checks access
   */
  private boolean isEntered(Mutation mutation, GlobalIndex index, Supplier<Boolean> open) {
    byte[] attribute = mutation.getAttribute(Attributes.ENTERED);
    RegionRepair current = repair.get();
    if (attribute == null || current == null || !open.get()) {
      return false;
    }
    try {
      EntryTicket ticket = EntryTicket.decode(attribute);
      return ticket.incarnation() == index.definition().incarnation()
          && current.removals().isGood(ticket);
    } catch (CorruptFrameException e) {
      LOG.warn("A put to {} has a ticket that cannot be read; it is indexed as others", region, e);
      return false;
    }
  }

  /**
   * A ticket for clients that write entries themselves.
   *
   * @throws DoNotRetryIOException if there is no such index, or access is checked here, or the
   *     index is not deferred
   */
  EntryTicket ticket(long incarnation) throws IOException {
    ColumnAccess.requireOpen(region);
    boolean deferred =
        kept.definitions().stream()
            .anyMatch(
                d ->
                    d.incarnation() == incarnation
                        && d.global().maintenance() == Maintenance.DEFERRED);
    if (!deferred) {
      throw new DoNotRetryIOException(
          "table '"
              + region.getTableDescriptor().getTableName()
              + "' keeps no deferred index of that incarnation");
    }
    return repair.get().removals().ticket(incarnation);
  }

  /** What becomes obsolete is deleted when the write is made and the grace period over. */
  private void send(IndexWrite write) throws IOException {
    send(write.index(), write.puts(), region.getWAL());
    RegionRepair hints = repair.get();
    if (hints != null) {
      tell(write.index().definition(), write.contested(), hints::contested);
      tell(write.index().definition(), replaced(write), hints::hint);
    }
  }

  /** A region that has begun to close is not read any more; flushes tell of the same. */
  private List<Entry> replaced(IndexWrite write) throws IOException {
    try {
      return write.replaced();
    } catch (NotServingRegionException e) {
      LOG.debug("What a write to {} replaces is not looked up", region, e);
      return List.of();
    }
  }

  private static void tell(IndexDefinition d, List<Entry> entries, Consumer<EntryList> hints) {
    if (!entries.isEmpty()) {
      hints.accept(new EntryList(d.name(), d.incarnation(), entries));
    }
  }

  /**
   * Adds the entries of what an increment or append results in.
   *
   * @param cells each with the cell before it, or null
   */
  void write(List<Pair<Cell, Cell>> cells) throws IOException {
    send(
        written(),
        write -> {
          for (Pair<Cell, Cell> pair : cells) {
            write.add(pair.getSecond());
          }
        });
  }

  /** The indexes that a write needs entries in, as it is stored. */
  private List<GlobalIndex> written() throws IOException {
    List<GlobalIndex> known = kept.current();
    if (!known.isEmpty()) {
      try {
        later.look(this::startAnew);
      } catch (IOException e) {
        throw kept.busy("its indexes are still believed, and " + later.complaint(), e);
      }
    }
    return known;
  }

  private void startAnew() throws IOException {
    for (GlobalIndex index : kept.all()) {
      opening.startAnew(index);
    }
  }

  /** Whether another coprocessor may change what is written, so that no index is believed. */
  boolean areChanged() {
    return later.areAny();
  }

  /** The same, looked at now: the states of the indexes say it. */
  boolean areChangedNow() throws IOException {
    later.look(this::startAnew);
    if (later.areAny()) {
      kept.all().forEach(i -> i.failed(later.complaint()));
    }
    return later.areAny();
  }

  /**
   * Adds entries.
   *
   * @param log the log that the base write is appended to next, or null
   */
  void send(GlobalIndex index, List<Put> puts, WAL log) throws IOException {
    if (puts.isEmpty()) {
      return;
    }
    try {
      writer.add(index.table(), puts, log);
      index.written();
    } catch (IOException e) {
      index.unwritten(e);
      if (mayBeGone(e) && index.isNewlyDoubted()) {
        kept.doubt();
        look.run();
      }
      throw kept.busy(index.unwritable(), e);
    }
  }

  /** Whether a write to an index table has failed as if the index were dropped. */
  private static boolean mayBeGone(IOException failure) {
    return Throwables.getCausalChain(failure).stream()
        .anyMatch(
            c -> c instanceof TableNotFoundException || c instanceof TableNotEnabledException);
  }
}
