package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.index.BatchOperations;
import io.spyhop.server.index.global.repair.EntryDeletionGate;
import io.spyhop.server.index.global.repair.EntryVerifier;
import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairedIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.hbase.thirdparty.com.google.common.base.Suppliers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The global indexes of one region of a base table: every write adds its entries before it is made
 * (DELI, Algorithm 1), and what the region had before is built. Thread-safe.
 *
 * <p>What holds at any time, once a row is built: every put cell of the indexed column that is in
 * the region, in whatever version and whether it can be seen or not, has its entry. So a write
 * whose entries are not acknowledged is not made.
 */
public final class RegionGlobals implements RegionPasses.Region, RepairedIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(RegionGlobals.class);

  private final GlobalService service;
  private final HRegion region;
  private final TableName base;
  private final RegionBuild build;
  private volatile List<GlobalIndex> indexes = List.of();

  /**
   * Those of them that have no definition any more, and are to be kept until nobody believes it.
   */
  private volatile List<GlobalIndex> leaving = List.of();

  /** Whether definitions have been resolved since the region opened; guarded by this. */
  private boolean resolved;

  /** Definitions that could not be looked up yet: nothing is written meanwhile. */
  private volatile IndexSchema unresolved;

  private final RegionLoads loads;
  private final LaterObservers later;
  private volatile IoRunnable definitions;
  private volatile RegionRepair repair;
  private volatile boolean closed;

  RegionGlobals(GlobalService service, HRegion region, RegionOpening opening) {
    this.service = service;
    this.region = region;
    this.base = region.getTableDescriptor().getTableName();
    this.later = new LaterObservers(region);
    this.loads =
        new RegionLoads(
            region,
            opening,
            service.writer(),
            service.loads(),
            new RegionLoads.Indexes() {
              @Override
              public List<GlobalIndex> kept() throws IOException {
                return current();
              }

              @Override
              public boolean are(byte[] family) {
                return indexes.stream()
                    .anyMatch(i -> Arrays.equals(family, i.definition().column().family()));
              }

              @Override
              public void send(GlobalIndex index, List<Put> puts) throws IOException {
                RegionGlobals.this.send(index, puts, null);
              }

              @Override
              public EntryDeletionGate removals() {
                return repair.removals();
              }
            });
    Predicate<GlobalIndex> cancelled = i -> closed || !indexes.contains(i);
    this.build =
        new RegionBuild(
            region,
            service.writer(),
            i -> loads.anyWithout(i) || later.areAny(),
            (family, check) -> MemoryFlush.run(service.flushes(), region, repair, family, check),
            service::descriptor,
            opening,
            cancelled);
  }

  void repair(RegionRepair current) {
    repair = current;
  }

  /** What is repaired; null until the region is open. */
  public RegionRepair repair() {
    return repair;
  }

  /**
   * Takes entries that a reader has found to be obsolete; they are looked at after a while.
   *
   * @throws IOException if there is no such index, or the caller may not know of its entries, or
   *     they are none that cells can have
   */
  public void hint(EntryList entries) throws IOException {
    IndexDefinition index = requireKept(entries.index(), entries.incarnation());
    ColumnAccess.requireRead(region, index.column());
    repair.report(entries, RpcServer.getRequestUserName().orElse("(none)"));
  }

  private IndexDefinition requireKept(String name, long incarnation) throws IOException {
    return definitions().stream()
        .filter(d -> d.name().equals(name) && d.incarnation() == incarnation)
        .findFirst()
        .orElseThrow(
            () ->
                new DoNotRetryIOException(
                    "table '"
                        + base
                        + "' keeps no index '"
                        + name
                        + "' like that: it has another one by now, or none in its table; look at"
                        + " its status"));
  }

  /**
   * Looks for cells without entry; throws what {@link #hint} throws.
   *
   * @throws IOException also if it is to be repaired, and the caller may not have that done
   */
  public VerifyPage missing(VerifyRequest request) throws IOException {
    return verifier(request).missing(request.from(), request.limit(), request.repair());
  }

  /** Looks which entries have no cell; throws what {@link #missing} throws. */
  public VerifyPage dangling(VerifyRequest request) throws IOException {
    return verifier(request).dangling(request.entries(), request.repair());
  }

  private EntryVerifier verifier(VerifyRequest request) throws IOException {
    IndexDefinition index = requireKept(request.index(), request.incarnation());
    ColumnAccess.requireRead(region, index.column());
    if (request.repair()) {
      ColumnAccess.requireRepair(region);
    }
    return new EntryVerifier(
        region,
        index,
        service.writer(),
        service.reader(),
        repair,
        EnvironmentEdgeManager::currentTime);
  }

  /** Takes over the table's definitions. */
  public synchronized void schema(IndexSchema schema) {
    unresolved = schema;
    try {
      resolve();
    } catch (IOException e) {
      LOG.warn("{} takes no writes until its index tables can be looked up", region, e);
    }
  }

  /** An index is kept if its table is there, in the definition's incarnation. */
  private synchronized List<GlobalIndex> resolve() throws IOException {
    IndexSchema schema = unresolved;
    if (schema == null) {
      return indexes;
    }
    List<GlobalIndex> found = new ArrayList<>();
    for (IndexDefinition d : schema.globals().indexes()) {
      TableName table = IndexTable.nameOf(base, d.name());
      TableDescriptor descriptor = service.descriptor(table);
      if (descriptor == null || !IndexTable.holds(descriptor, d)) {
        LOG.warn("Index '{}' of {} is not kept: '{}' does not hold it", d.name(), region, table);
      } else {
        found.add(known(d).orElseGet(() -> found(d, table)));
      }
    }
    resolved = true;
    leaving = indexes.stream().filter(i -> found.stream().noneMatch(i::isLike)).toList();
    found.addAll(leaving);
    indexes = List.copyOf(found);
    unresolved = null;
    leave();
    service.buildSoon();
    return indexes;
  }

  /**
   * Goes on without the indexes that have no definition any more, where that is noted in their
   * tables, or these are gone. Until then, writes add entries.
   */
  private synchronized void leave() {
    for (GlobalIndex index : leaving) {
      try {
        TableDescriptor table = service.descriptor(index.table());
        if (table != null && IndexTable.holds(table, index.definition())) {
          build.opening().forsake(index);
        }
        indexes = indexes.stream().filter(i -> i != index).toList();
        leaving = leaving.stream().filter(i -> i != index).toList();
      } catch (IOException e) {
        LOG.warn("{} still keeps '{}', as it cannot be noted that it does not", region, index, e);
      }
    }
  }

  /** Nothing is written before the first definitions are resolved. */
  private GlobalIndex found(IndexDefinition definition, TableName table) {
    GlobalIndex index = new GlobalIndex(definition, table, !resolved);
    return indexes.stream()
        .filter(index::isLike)
        .findFirst()
        .map(i -> new GlobalIndex(definition, table, i.isFromStart()))
        .orElse(index);
  }

  private Optional<GlobalIndex> known(IndexDefinition definition) {
    return indexes.stream().filter(i -> i.definition().equals(definition)).findFirst();
  }

  /** The definitions of the indexes that are kept. */
  public List<IndexDefinition> definitions() {
    return indexes.stream().map(GlobalIndex::definition).toList();
  }

  @Override
  public List<IndexDefinition> kept() throws IOException {
    return current().stream().map(GlobalIndex::definition).toList();
  }

  @Override
  public List<IndexDefinition> possible() {
    IndexSchema open = unresolved;
    Set<IndexDefinition> all = new LinkedHashSet<>(definitions());
    if (open != null) {
      all.addAll(open.globals().indexes());
    }
    return List.copyOf(all);
  }

  /** Adds the entries of a batch, within the row locks of all its rows. */
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    List<GlobalIndex> known = written();
    if (!known.isEmpty() && BatchOperations.logAlike(batch, region.getTableDescriptor())) {
      unlogged();
    }
    Supplier<Boolean> open = Suppliers.memoize(() -> ColumnAccess.isOpen(region));
    for (GlobalIndex index : known) {
      IndexWrite write = new IndexWrite(region, index);
      BatchOperations.forEach(
          batch,
          (mutation, client) -> {
            if (mutation != client) {
              BatchOperations.resolveTimestamps(mutation);
            }
            if (mutation != client || !isEntered(mutation, index, open)) {
              write.add(mutation);
            }
          });
      send(write);
    }
  }

  /** A write is about to be made that is not in the log, the row locked. */
  private void unlogged() {
    RegionRepair current = repair;
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
    RegionRepair current = repair;
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
  public EntryTicket ticket(long incarnation) throws IOException {
    ColumnAccess.requireOpen(region);
    boolean deferred =
        definitions().stream()
            .anyMatch(
                d ->
                    d.incarnation() == incarnation
                        && d.global().maintenance() == Maintenance.DEFERRED);
    if (!deferred) {
      throw new DoNotRetryIOException(
          "table '" + base + "' keeps no deferred index of that incarnation");
    }
    return repair.removals().ticket(incarnation);
  }

  /** What becomes obsolete is deleted when the write is made and the grace period over. */
  private void send(IndexWrite write) throws IOException {
    send(write.index(), write.puts(), region.getWAL());
    List<Entry> obsolete = write.obsolete();
    RegionRepair hints = repair;
    if (!obsolete.isEmpty() && hints != null) {
      IndexDefinition d = write.index().definition();
      hints.hint(new EntryList(d.name(), d.incarnation(), obsolete));
    }
  }

  /**
   * Adds the entries of what an increment or append results in.
   *
   * @param cells each with the cell before it, or null
   */
  public void write(List<Pair<Cell, Cell>> cells) throws IOException {
    for (GlobalIndex index : written()) {
      IndexWrite write = new IndexWrite(region, index);
      for (Pair<Cell, Cell> pair : cells) {
        write.add(pair.getSecond());
      }
      send(write);
    }
  }

  /** The bulk loads of the region. */
  RegionLoads loads() {
    return loads;
  }

  /** The indexes that a write needs entries in, as it is stored. */
  private List<GlobalIndex> written() throws IOException {
    List<GlobalIndex> known = current();
    if (!known.isEmpty()) {
      try {
        later.look(this::startAnew);
      } catch (IOException e) {
        throw busy("its indexes are still believed, and " + later.complaint(), e);
      }
    }
    return known;
  }

  private void startAnew() throws IOException {
    for (GlobalIndex index : indexes) {
      build.opening().startAnew(index);
    }
  }

  /** Whether the indexes may be noted as kept: if not, their states say so. */
  private boolean areKept() throws IOException {
    later.look(this::startAnew);
    if (later.areAny()) {
      indexes.forEach(i -> i.failed(later.complaint()));
    }
    return !later.areAny();
  }

  private List<GlobalIndex> current() throws IOException {
    if (unresolved == null) {
      return indexes;
    }
    try {
      return resolve();
    } catch (IOException e) {
      throw busy("its index tables cannot be looked up", e);
    }
  }

  /**
   * @param log the log that the base write is appended to next, or null
   */
  private void send(GlobalIndex index, List<Put> puts, WAL log) throws IOException {
    if (puts.isEmpty()) {
      return;
    }
    try {
      service.writer().add(index.table(), puts, log);
      index.written();
    } catch (IOException e) {
      if (isKept(index, e)) {
        index.unwritten(e);
        throw busy(index.unwritable(), e);
      }
    }
  }

  /** Whether the index still is, after a write to its table has failed. */
  private boolean isKept(GlobalIndex index, IOException failure) throws IOException {
    Throwable cause = failure.getCause();
    if (!(cause instanceof TableNotFoundException || cause instanceof TableNotEnabledException)) {
      return true;
    }
    IoRunnable current = definitions;
    if (current != null) {
      current.run();
    }
    return current().contains(index);
  }

  private RegionTooBusyException busy(String what, IOException cause) {
    RegionTooBusyException e =
        new RegionTooBusyException(
            "table '" + base + "': nothing was written, " + what + "; try again: " + cause);
    e.initCause(cause);
    return e;
  }

  @Override
  public void build(PassNotes notes) throws IOException {
    mark(notes);
    if (later.areAny()) {
      return;
    }
    for (GlobalIndex index : current()) {
      if (!closed && !index.isBuilt()) {
        build.run(index, notes);
      }
    }
  }

  @Override
  public void mark(PassNotes notes) throws IOException {
    if (!leaving.isEmpty()) {
      leave();
    }
    List<GlobalIndex> known = current();
    if (known.isEmpty() || !areKept()) {
      return;
    }
    for (GlobalIndex index : known) {
      if (!closed && !index.isBuilt()) {
        build.mark(index, notes);
      }
    }
  }

  /** Has built what is not, too. */
  @Override
  public void look(PassNotes notes) throws IOException {
    for (GlobalIndex index : indexes) {
      build.look(index, notes);
    }
    if (!current().stream().allMatch(GlobalIndex::isBuilt)) {
      service.buildSoon();
    }
  }

  /** Has built soon what is not. */
  void buildRest() {
    if (!indexes.stream().allMatch(GlobalIndex::isBuilt)) {
      service.buildSoon();
    }
  }

  /** Has {@link #look} look soon. */
  public void doubt() {
    service.lookSoon(this);
  }

  /** How far the indexes are. */
  public List<IndexState> states() {
    RegionRepair current = repair;
    int waiting = current == null ? 0 : current.waiting();
    long repairedUpTo = current == null ? 0 : current.repairedUpTo();
    return indexes.stream().map(i -> i.state(waiting, repairedUpTo)).toList();
  }

  /**
   * The region is open.
   *
   * @param source reads the definitions again and hands them to {@link #schema}, after writes to an
   *     index table have failed
   */
  public void opened(IoRunnable source) {
    definitions = source;
    service.opened(this);
  }

  /** The region closes; it is still written and flushed. */
  public void closing() {
    closed = true;
    build.opening().ends();
    service.closed(this);
  }

  /** The region opens, and HBase is about to restore an edit of a server that was lost. */
  public void restoring(WALKey key, WALEdit edit) {
    build.opening().restoring(key.getSequenceId(), edit);
  }

  /** The opening of the region. */
  RegionOpening opening() {
    return build.opening();
  }

  /** The region has closed. */
  public void closed() {
    RegionRepair current = repair;
    build.opening().ended(current == null ? () -> false : current::leavesReplacedFiles);
  }

  @Override
  public String toString() {
    return region.toString();
  }
}
