package io.spyhop.server.index.global.repair;

import io.opentelemetry.context.Scope;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.trace.Work;
import io.spyhop.server.index.global.repair.PendingList.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs entries of one region that seem to point at nothing: the source of a report decides when
 * they are looked at and whether that survives a crash, and no more. Thread-safe.
 */
final class EntryRepairs {
  private static final Logger LOG = LoggerFactory.getLogger(EntryRepairs.class);

  /** Entries that are looked up in one call. */
  private static final int LOOKUP = 1_000;

  private static final int HINT_TRIES = 5;

  private final RepairedRegion owner;
  private final RepairQueue queue;
  private final HRegion region;
  private final RepairLists lists;
  private final FlushLists afterFlush;
  private final EntryDeletionGate removals;

  EntryRepairs(
      RepairedRegion owner,
      RepairQueue queue,
      HRegion region,
      RepairLists lists,
      FlushLists afterFlush,
      EntryDeletionGate removals) {
    this.owner = owner;
    this.queue = queue;
    this.region = region;
    this.lists = lists;
    this.afterFlush = afterFlush;
    this.removals = removals;
  }

  /**
   * Takes entries that this region's writes make obsolete; they are forgotten if the region closes.
   */
  void hint(EntryList entries) {
    enqueue(new HintItem(entries, "", false));
  }

  /**
   * The same of entries that nothing else will tell of; they are forgotten if the server is lost.
   */
  void contested(EntryList entries) {
    enqueue(new HintItem(entries, "", true));
  }

  /** The same of entries of cells that are not written; without room they are counted alone. */
  void refused(EntryList entries) {
    if (!queue.add(new HintItem(entries, "", true))) {
      countDropped(entries.entries().size());
    }
  }

  /**
   * Takes entries that a user says point at nothing; they are forgotten if the server stops, and
   * those of other regions' rows at once. What the user says is only looked up.
   *
   * @param by the user's name
   * @throws DoNotRetryIOException if they are too many for one call, or no cell can have one
   */
  void report(EntryList entries, String by) throws DoNotRetryIOException {
    EntryValidation.require(entries.entries());
    EntryValidation.requireFew(entries.entries(), EntryList.MOST_REPORTED_BYTES);
    List<Entry> sound =
        entries.entries().stream()
            .filter(e -> HRegion.rowIsInRange(region.getRegionInfo(), e.row()))
            .toList();
    countDropped(entries.entries().size() - sound.size());
    if (!sound.isEmpty()) {
      EntryList all = new EntryList(entries.index(), entries.incarnation(), sound);
      enqueue(new HintItem(all, by, false));
    }
  }

  private void enqueue(HintItem item) {
    if (!queue.add(item)) {
      item.givenUp();
    }
  }

  /** Reported entries will not be looked at. */
  private void countDropped(int howMany) {
    queue.metrics().dropped.increment(howMany);
  }

  /**
   * Takes over entries from another region, those that are there and nothing is behind.
   *
   * @throws IOException if not all were looked at or could be made durable, or a row is none of
   *     this region's: its region is to be looked up again
   */
  void accept(EntryList entries) throws IOException {
    EntryValidation.require(entries.entries());
    Optional<IndexDefinition> index = find(entries);
    if (index.isEmpty()) {
      return;
    }
    List<Entry> dangling = new ArrayList<>();
    EntryRemover.Outcome outcome =
        EntryRemover.look(
            index.get(), region, entries.entries(), queue.settings().rows(), dangling::addAll);
    if (!outcome.elsewhere().isEmpty()) {
      throw new DoNotRetryIOException(
          outcome.elsewhere().size()
              + " entries are handed to "
              + owner
              + ", which has not their rows");
    }
    owe(present(new EntryList(entries.index(), entries.incarnation(), dangling)));
  }

  /** Those that the index table has. */
  private EntryList present(EntryList entries) throws IOException {
    TableName table =
        IndexTable.nameOf(region.getTableDescriptor().getTableName(), entries.index());
    List<Entry> present = new ArrayList<>();
    for (EntryList part : entries.parts(LOOKUP)) {
      boolean[] exist = queue.lookup().exist(table, part.entries());
      for (int i = 0; i < exist.length; i++) {
        if (exist[i]) {
          present.add(part.entries().get(i));
        }
      }
    }
    return new EntryList(entries.index(), entries.incarnation(), present);
  }

  /**
   * Entries are to be looked at that this region has found to point at nothing.
   *
   * @throws IOException if they could not be made durable
   */
  void owe(EntryList entries) throws IOException {
    owe(entries, new Source("", Set.of(), () -> true));
  }

  private void owe(EntryList entries, Source source) throws IOException {
    Optional<IndexDefinition> index = find(entries);
    if (index.isEmpty()) {
      return;
    }
    RepairListWriter list = lists.newList();
    try {
      for (Entry e : entries.entries()) {
        list.obsolete(index.get(), e);
      }
      lists.found(list, source);
    } catch (IOException e) {
      lists.abandon(list);
      throw e;
    }
    lists.promote();
  }

  private Optional<IndexDefinition> find(EntryList entries) throws RepairHeldException {
    return owner.indexes().stream()
        .filter(i -> i.name().equals(entries.index()) && i.incarnation() == entries.incarnation())
        .findFirst();
  }

  /** Looks at entries of a list and deletes those that nothing is behind, now or later. */
  void removeListed(EntryList entries) throws IOException {
    long generation = removals.logged().generation();
    Optional<EntryRemover.Outcome> outcome = remove(entries);
    if (outcome.isPresent()) {
      forward(entries, outcome.get().elsewhere());
    }
    List<Entry> waiting = outcome.map(EntryRemover.Outcome::waiting).orElse(List.of());
    Optional<IndexDefinition> index = find(entries);
    if (!waiting.isEmpty() && index.isPresent()) {
      String family = Bytes.toString(index.get().column().family());
      EntryList rest = new EntryList(entries.index(), entries.incarnation(), waiting);
      owe(rest, afterFlush.flushAfter(family, generation));
    }
  }

  private void forward(EntryList entries, List<Entry> elsewhere) throws IOException {
    if (!elsewhere.isEmpty()) {
      queue
          .forwarder()
          .forward(
              region.getTableDescriptor().getTableName(),
              new EntryList(entries.index(), entries.incarnation(), elsewhere));
      queue.metrics().forwarded.increment(elsewhere.size());
    }
  }

  /**
   * As {@link #removeListed}, of entries of the region's rows that only the memory has.
   *
   * @param reported whether a user says so: those that never were get no delete marker
   */
  private void removeHinted(EntryList entries, boolean reported) throws IOException {
    Optional<IndexDefinition> index = find(entries);
    EntryList some = reported && index.isPresent() ? present(older(index.get(), entries)) : entries;
    List<Entry> waiting = remove(some).map(EntryRemover.Outcome::waiting).orElse(List.of());
    if (!waiting.isEmpty()) {
      index.ifPresent(known -> afterFlush.add(known, waiting));
    }
  }

  /**
   * All but those whose timestamps are of the time since the memstore was empty. These mostly have
   * their cells there yet, even if nobody sees them, and the flush will find them.
   */
  private EntryList older(IndexDefinition index, EntryList entries) {
    HStore store = region.getStore(index.column().family());
    if (store == null || index.global().repair() == Repair.OFF) {
      return entries;
    }
    long since = store.timeOfOldestEdit();
    long now = queue.now();
    List<Entry> older =
        entries.entries().stream()
            .filter(e -> e.timestamp() < since || e.timestamp() > now)
            .toList();
    queue.metrics().kept.increment(entries.entries().size() - older.size());
    return new EntryList(entries.index(), entries.incarnation(), older);
  }

  /** Empty if there is no such index any more. */
  private Optional<EntryRemover.Outcome> remove(EntryList entries) throws IOException {
    Optional<IndexDefinition> index = find(entries);
    if (index.isEmpty()) {
      LOG.info("Index {} is no more, its repairs are dropped", entries.index());
      return Optional.empty();
    }
    RepairMetrics metrics = queue.metrics();
    EntryRemover.Outcome outcome = remove(index.get(), entries.entries());
    metrics.deleted.increment(outcome.deleted());
    metrics.kept.increment(outcome.kept());
    metrics.unsound.increment(outcome.unsound());
    return Optional.of(outcome);
  }

  private EntryRemover.Outcome remove(IndexDefinition index, List<Entry> entries)
      throws IOException {
    try (Work work = Work.begin(Work.Kind.REPAIR);
        Scope ignored = work.inThisThread()) {
      EntryRemover.Outcome outcome = queue.remover().remove(index, region, entries, removals);
      if (work.isRecorded()) {
        work.name("table", region.getTableDescriptor().getTableName().getNameAsString())
            .name("index", index.name())
            .count("entries", entries.size())
            .count("deleted", outcome.deleted())
            .count("kept", outcome.kept())
            .count("waiting", outcome.waiting().size());
      }
      return outcome;
    }
  }

  /** Entries that only the memory has. */
  private final class HintItem extends RepairItem {
    private final EntryList list;
    private final boolean alone;
    private final Held held;

    /**
     * @param by who has reported them; empty for this server's own writes
     * @param alone whether nothing else will tell of them
     */
    HintItem(EntryList list, String by, boolean alone) {
      super(owner, queue.now() + queue.settings().graceMillis());
      this.list = list;
      this.alone = alone;
      this.held = new Held(list.entries().size(), list.bytes(), by);
    }

    @Override
    void run() throws IOException {
      removeHinted(list, held.isReported());
    }

    @Override
    Held holds() {
      return held;
    }

    @Override
    int tries() {
      return HINT_TRIES;
    }

    @Override
    void givenUp() {
      if (alone) {
        waitForFlush();
      } else {
        countDropped(held.entries());
      }
    }

    @Override
    void left() {
      if (alone) {
        waitForFlush();
      }
    }

    private void waitForFlush() {
      try {
        find(list).ifPresent(index -> afterFlush.add(index, list.entries()));
      } catch (RepairHeldException e) {
        LOG.debug("{} is left for reads", this, e);
        countDropped(held.entries());
      }
    }

    @Override
    public String toString() {
      return "repair of " + held.entries() + " entries of " + list.index();
    }
  }
}
