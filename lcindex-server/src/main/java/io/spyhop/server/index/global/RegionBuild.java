package io.spyhop.server.index.global;

import io.spyhop.core.global.Lifetimes;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.index.global.entry.EntryWriter;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the global indexes of one region for what it had before. Thread-safe. */
final class RegionBuild {
  private static final Logger LOG = LoggerFactory.getLogger(RegionBuild.class);

  private final HRegion region;
  private final EntryWriter writer;
  private final Predicate<GlobalIndex> lacking;
  private final EntryBuilder.Flush flush;
  private final IoFunction<TableName, TableDescriptor> descriptors;
  private final RegionOpening opening;
  private final BuildPace pace;
  private final IoFunction<TableName, ControlNotes> own;
  private final Predicate<GlobalIndex> cancelled;

  /**
   * @param lacking whether something is being written that has no entries in an index
   * @param flush of the region
   * @param descriptors those of now, null if there is no such table
   * @param own of an index table's notes the epoch, and the region's mark
   * @param cancelled whether an index is not to be built for the region any more
   */
  RegionBuild(
      HRegion region,
      EntryWriter writer,
      Predicate<GlobalIndex> lacking,
      EntryBuilder.Flush flush,
      IoFunction<TableName, TableDescriptor> descriptors,
      RegionOpening opening,
      BuildPace pace,
      IoFunction<TableName, ControlNotes> own,
      Predicate<GlobalIndex> cancelled) {
    this.region = region;
    this.writer = writer;
    this.lacking = lacking;
    this.flush = flush;
    this.descriptors = descriptors;
    this.opening = opening;
    this.pace = pace;
    this.own = own;
    this.cancelled = cancelled;
  }

  /** The opening that builds. */
  RegionOpening opening() {
    return opening;
  }

  /**
   * Notes that the region is open here, or about to be, and takes the index for built if it is.
   * Quick; leaves it to who builds the index just now. While something is written that has no
   * entries, it is not to be believed, and nothing is noted.
   */
  void mark(GlobalIndex index, PassNotes notes) throws IOException {
    work(
        index,
        () -> {
          if (opening.isNumbered() && !lacking.test(index)) {
            noted(index, notes);
          }
        });
  }

  /**
   * Builds what of an index is not built, once the region is online, unless another thread does.
   */
  void run(GlobalIndex index, PassNotes notes) throws IOException {
    work(
        index,
        () -> {
          if (opening.isOnline()) {
            build(index, notes);
          }
        });
  }

  private void work(GlobalIndex index, IoRunnable work) throws IOException {
    if (!index.building().tryLock()) {
      return;
    }
    try {
      if (!index.isBuilt()) {
        work.run();
      }
    } catch (InterruptedIOException e) {
      LOG.debug("Building {} for {} ends", index.definition().name(), region, e);
    } catch (IOException e) {
      index.failed(e);
      throw e;
    } finally {
      index.building().unlock();
    }
  }

  private void build(GlobalIndex index, PassNotes notes) throws IOException {
    if (lacking.test(index)) {
      LOG.info("Index '{}' of {} is built when all writes have their entries", index, region);
    } else {
      OpeningMark mark = noted(index, notes);
      // A write that the index lacks goes on until the mark is another.
      if (!lacking.test(index)) {
        buildRest(index, mark, notes);
      }
    }
  }

  /** This opening's mark in the index table, which is made if it is not there. */
  private OpeningMark noted(GlobalIndex index, PassNotes notes) throws IOException {
    ControlNotes known = known(index, notes);
    OpeningMark mark;
    try {
      mark = opening.mark(index, known);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      notes.failed(index.table(), e);
      throw e;
    }
    if (known.isBuilt(mark)) {
      index.built();
    }
    return mark;
  }

  /** What the index table notes, and had noted when the opening was marked in it. */
  private ControlNotes known(GlobalIndex index, PassNotes notes) throws IOException {
    return notes.since(index.table(), opening.noted(index.table()));
  }

  private void buildRest(GlobalIndex index, OpeningMark mark, PassNotes pass) throws IOException {
    if (index.isBuilt()) {
      return;
    }
    ControlNotes notes = known(index, pass);
    requireCurrent(index);
    try {
      new EntryBuilder(
              region,
              index.definition(),
              index.table(),
              writer,
              flush,
              counted(index),
              () -> isCancelled(index),
              () -> requireCurrent(index))
          .build(notes, mark);
    } finally {
      index.count().end();
    }
    LOG.info("Built index '{}' for {}", index.definition().name(), region);
    // What was un-built meanwhile is built once more.
    if (counts(notes, mark, own.apply(index.table()))) {
      index.built();
    }
  }

  /**
   * Whether what was noted before, and what was built since, counts now: within an epoch no note of
   * built rows goes away. Questions are answered by the notes alone, and do not go by this.
   */
  private boolean counts(ControlNotes before, OpeningMark mark, ControlNotes now) {
    return now.epoch().equals(before.epoch())
        && opening
            .markIn(now)
            .filter(m -> m.number() == mark.number() && m.since() == mark.since())
            .isPresent();
  }

  private EntryBuilder.Pace counted(GlobalIndex index) {
    LongConsumer paced = pace.begin();
    index.count().begin();
    return (rows, bytes) -> {
      index.count().read(rows, bytes);
      paced.accept(bytes);
    };
  }

  /**
   * Looks again whether an index that is taken for built is: the master may have un-built it, and
   * the region need not have been reopened.
   *
   * @param notes as of a moment ago, or as of this opening's mark if that is later
   */
  void look(GlobalIndex index, PassNotes notes) throws IOException {
    if (index.isBuilt() && !isBuilt(known(index, notes))) {
      LOG.info("Index '{}' of {} is to be built again", index.definition().name(), region);
      index.notBuilt();
    }
  }

  /** Whether what counts for this opening is all of the region. */
  private boolean isBuilt(ControlNotes notes) {
    return opening.markIn(notes).filter(notes::isBuilt).isPresent();
  }

  /**
   * A region that is about to be reopened, so that it shows cells which it hides now, has not kept
   * their entries: it notes nothing.
   */
  private void requireCurrent(GlobalIndex index) throws IOException {
    byte[] family = index.definition().column().family();
    TableDescriptor base = descriptors.apply(region.getTableDescriptor().getTableName());
    ColumnFamilyDescriptor now = base == null ? null : base.getColumnFamily(family);
    ColumnFamilyDescriptor descriptor = region.getTableDescriptor().getColumnFamily(family);
    if (now == null || descriptor == null || Lifetimes.revives(descriptor, now)) {
      throw new InterruptedIOException("family '" + Bytes.toStringBinary(family) + "' has changed");
    }
  }

  private boolean isCancelled(GlobalIndex index) {
    return region.isClosing() || region.isClosed() || cancelled.test(index);
  }

  /**
   * What an index table notes.
   *
   * @param scan of {@link ControlRows}, which says what
   */
  static ControlNotes notes(IndexReader tables, TableName index, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Result r : tables.read(index, scan)) {
      cells.addAll(r.listCells());
    }
    return ControlRows.notes(cells);
  }
}
