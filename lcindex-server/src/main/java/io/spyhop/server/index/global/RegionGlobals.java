package io.spyhop.server.index.global;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.index.global.repair.EntryVerifier;
import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairedIndexes;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * The global indexes of one region of a base table: every write adds its entries before it is made
 * (DELI, Algorithm 1), and what the region had before is built. Thread-safe.
 *
 * <p>What holds at any time, once a row is built: every put cell of the indexed column that is in
 * the region, in whatever version and whether it can be seen or not, has its entry. So a write
 * whose entries are not acknowledged is not made.
 */
public final class RegionGlobals implements RegionPasses.Region, RepairedIndexes {
  private final GlobalService service;
  private final HRegion region;
  private final KeptIndexes kept;
  private final RegionWrites writes;
  private final RegionLoads loads;
  private final RegionBuild build;
  private volatile RegionRepair repair;
  private volatile boolean closed;

  RegionGlobals(GlobalService service, HRegion region, RegionOpening opening) {
    this.service = service;
    this.region = region;
    this.kept =
        new KeptIndexes(
            region, opening, service::descriptor, service::buildSoon, service.complaints());
    this.writes =
        new RegionWrites(region, kept, service.writer(), opening, this::repair, this::doubt);
    this.loads =
        new RegionLoads(
            region,
            opening,
            service.writer(),
            service.loads(),
            kept,
            writes,
            () -> repair.removals());
    this.build =
        new RegionBuild(
            region,
            service.writer(),
            i -> loads.anyWithout(i) || writes.areChanged(),
            (family, check) -> MemoryFlush.run(service.flushes(), region, repair, family, check),
            service::descriptor,
            opening,
            service.pace(),
            table -> service.notesOf(region, table),
            i -> closed || !kept.all().contains(i));
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
                        + region.getTableDescriptor().getTableName()
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
  public void schema(IndexSchema schema) {
    kept.schema(schema);
  }

  /** The definitions of the indexes that are kept. */
  public List<IndexDefinition> definitions() {
    return kept.definitions();
  }

  @Override
  public List<IndexDefinition> kept() throws IOException {
    return kept.settle().stream().map(GlobalIndex::definition).toList();
  }

  @Override
  public List<IndexDefinition> possible() {
    return kept.possible();
  }

  /** Adds the entries of a batch, within the row locks of all its rows. */
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    writes.write(batch);
  }

  /**
   * Adds the entries of what an increment or append results in.
   *
   * @param cells each with the cell before it, or null
   */
  public void write(List<Pair<Cell, Cell>> cells) throws IOException {
    writes.write(cells);
  }

  /**
   * A ticket for clients that write entries themselves.
   *
   * @throws DoNotRetryIOException if there is no such index, or access is checked here, or the
   *     index is not deferred
   */
  public EntryTicket ticket(long incarnation) throws IOException {
    return writes.ticket(incarnation);
  }

  /** The bulk loads of the region. */
  RegionLoads loads() {
    return loads;
  }

  @Override
  public boolean build(PassNotes notes) throws IOException {
    mark(notes);
    if (writes.areChanged()) {
      return false;
    }
    List<GlobalIndex> known = kept.settle();
    for (GlobalIndex index : known) {
      if (!closed && !index.isBuilt()) {
        build.run(index, notes);
      }
    }
    return known.stream().allMatch(GlobalIndex::isBuilt) && !kept.areLeaving();
  }

  @Override
  public void mark(PassNotes notes) throws IOException {
    kept.leave();
    List<GlobalIndex> known = kept.settle();
    if (known.isEmpty() || writes.areChangedNow()) {
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
  public boolean look(PassNotes notes) throws IOException {
    kept.readDoubted();
    for (GlobalIndex index : kept.all()) {
      build.look(index, notes);
    }
    boolean built = kept.settle().stream().allMatch(GlobalIndex::isBuilt);
    if (!built) {
      service.buildSoon();
    }
    return built;
  }

  @Override
  public TableName table() {
    return region.getTableDescriptor().getTableName();
  }

  /** Has built soon what is not. */
  void buildRest() {
    if (!kept.all().stream().allMatch(GlobalIndex::isBuilt)) {
      service.buildSoon();
    }
  }

  /** Has {@link #look} look soon. */
  public void doubt() {
    service.lookSoon(this);
  }

  /** The tables of the indexes that lack entries of this region. */
  Stream<TableName> unbuilt() {
    return kept.all().stream().filter(i -> !i.isBuilt()).map(GlobalIndex::table);
  }

  /** How far the indexes are. */
  public List<IndexState> states() {
    RegionRepair current = repair;
    int waiting = current == null ? 0 : current.waiting();
    long repairedUpTo = current == null ? 0 : current.repairedUpTo();
    return kept.all().stream().map(i -> i.state(bytes(i), waiting, repairedUpTo)).toList();
  }

  /** Of the HFiles that have the indexed column, uncompressed. */
  private long bytes(GlobalIndex index) {
    HStore store = region.getStore(index.definition().column().family());
    return store == null ? 0 : store.getStoreSizeUncompressed();
  }

  /**
   * The region is open.
   *
   * @param source reads the definitions again and hands them to {@link #schema}, after writes to an
   *     index table have failed
   */
  public void opened(IoRunnable source) {
    kept.opened(source);
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
