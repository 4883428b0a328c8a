package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what a compaction has dropped after it has committed: in its inputs or, if these are gone,
 * by a look at all entries of the region's rows. Not thread-safe.
 */
final class StagedWork {
  private static final Logger LOG = LoggerFactory.getLogger(StagedWork.class);
  private static final int PAGE = 2_000;

  /** Pages that are looked at before others have their turn. */
  private static final int PAGES = 20;

  private final RepairedRegion owner;
  private final RepairQueue queue;
  private final ListSink lists;
  private final HRegion region;
  private final StagedNote note;
  private final IndexRescans looks;
  private final IndexRescans.Ticket ticket;

  /**
   * @param lists take what looks at all entries find
   * @param looks the region's
   * @param ticket the note's
   */
  StagedWork(
      RepairedRegion owner,
      RepairQueue queue,
      ListSink lists,
      HRegion region,
      StagedNote note,
      IndexRescans looks,
      IndexRescans.Ticket ticket) {
    this.owner = owner;
    this.queue = queue;
    this.lists = lists;
    this.region = region;
    this.note = note;
    this.looks = looks;
    this.ticket = ticket;
  }

  /**
   * Finds what was dropped.
   *
   * @param current the region's indexes
   * @param list takes it
   * @return false if the region closes meanwhile: not all is found
   * @throws RepairHeldException if there is more to look at, later
   */
  boolean find(List<IndexDefinition> current, RepairListWriter list) throws IOException {
    List<IndexDefinition> indexes = note.meant(current);
    HStore store = region.getStore(note.family());
    if (indexes.isEmpty() || store == null || !isCommitted(store)) {
      return true;
    }
    if (!ticket.areInputsGone()) {
      try {
        readInputs(store, indexes, list);
        return !owner.isClosed();
      } catch (FileNotFoundException | CorruptHFileException e) {
        LOG.warn("{}: inputs of a compaction are gone, all entries are looked at", owner, e);
        ticket.inputsGone();
      }
    }
    for (IndexDefinition i : indexes) {
      lookAtAll(i);
    }
    return !owner.isClosed();
  }

  private void readInputs(HStore store, List<IndexDefinition> indexes, RepairListWriter list)
      throws IOException {
    VersionRules rules = VersionRules.of(store.getScanInfo());
    ObsoleteVersions versions = new ObsoleteVersions(indexes, rules, queue.now(), list);
    new StagedRead(region, note)
        .read(
            store,
            cell -> {
              versions.add(cell);
              return !owner.isClosed();
            });
  }

  /** One that failed has dropped nothing. */
  private boolean isCommitted(HStore store) {
    return !note.region().equals(region.getRegionInfo().getEncodedName())
        || store.getStorefiles().stream()
            .noneMatch(f -> note.inputs().contains(f.getPath().getName()));
  }

  private void lookAtAll(IndexDefinition index) throws IOException {
    Optional<IndexRescans.Look> turn = looks.turn(index.incarnation(), note, ticket);
    if (turn.isEmpty()) {
      return;
    }
    IndexRescans.Look look = turn.get();
    boolean answered;
    try {
      lookOn(index, look);
    } finally {
      answered = looks.leave(look, note, ticket);
    }
    if (!answered && !owner.isClosed()) {
      throw new RepairHeldException("there are more entries to look at");
    }
  }

  /** What is found is owed before the look goes on behind it. */
  private void lookOn(IndexDefinition index, IndexRescans.Look look) throws IOException {
    TableName table = IndexTable.nameOf(region.getTableDescriptor().getTableName(), index.name());
    RepairListWriter list = lists.newList();
    boolean kept = false;
    try {
      byte[] from = look.from();
      boolean end = false;
      for (int i = 0; i < PAGES && !end && !owner.isClosed(); i++) {
        List<Entry> page = queue.scan().page(table, from, PAGE);
        end = page.isEmpty();
        if (!end) {
          look(index, page.stream().filter(e -> look.holds(e.row())).toList(), list);
          byte[] last = page.get(page.size() - 1).indexRow();
          from = Arrays.copyOf(last, last.length + 1);
        }
      }
      if (!owner.isClosed()) {
        lists.looked(list, look.foundAt());
        kept = true;
        look.reached(from, end);
      }
    } finally {
      if (!kept) {
        lists.abandon(list);
      }
    }
  }

  private void look(IndexDefinition index, List<Entry> entries, RepairListWriter list)
      throws IOException {
    EntryRemover.Outcome outcome =
        EntryRemover.look(
            index,
            region,
            entries,
            queue.settings().rows(),
            dangling -> {
              for (Entry e : dangling) {
                list.obsolete(index, e);
              }
            });
    if (!outcome.elsewhere().isEmpty()) {
      queue
          .forwarder()
          .forward(
              region.getTableDescriptor().getTableName(),
              new EntryList(index.name(), index.incarnation(), outcome.elsewhere()));
    }
  }
}
