package io.spyhop.server.index.global;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.global.entry.BatchEntries;
import io.spyhop.server.index.global.entry.EntryWriter;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.index.global.repair.PhysicalCells;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Writes the entries of the cells that a region has, while writes go on. It goes through the rows
 * in order and notes in the index table how far it is, so that the next server with these rows goes
 * on from there. Not thread-safe.
 */
final class EntryBuilder {
  private static final int NOTE_EVERY = 20;

  /** Read between two pauses. */
  private static final long PACED_BYTES = 1 << 20;

  private final HRegion region;
  private final IndexDefinition definition;
  private final TableName table;
  private final EntryWriter writer;
  private final Flush flush;
  private final Pace pace;
  private final BooleanSupplier cancelled;
  private final IoRunnable mayNote;
  private final BatchEntries entries;
  private final EntryPuts batch = new EntryPuts();
  private int batches;

  /** All rows before this one have their entries; null if it is not known of any. */
  private byte[] sent;

  private long read;
  private long rows;
  private OptionalLong epoch = OptionalLong.empty();
  private long opening;

  /** Slows it down. */
  @FunctionalInterface
  interface Pace {
    /** So much more was read. */
    void read(long rows, long bytes);
  }

  /** Has memory flushed. */
  @FunctionalInterface
  interface Flush {
    /**
     * Returns when everything that the family's memstore has now, and had, is in HFiles.
     *
     * @param check ends the wait when it throws
     */
    void run(byte[] family, IoRunnable check) throws IOException;
  }

  /**
   * @param mayNote throws if what has been built may not be noted
   */
  EntryBuilder(
      HRegion region,
      IndexDefinition definition,
      TableName table,
      EntryWriter writer,
      Flush flush,
      Pace pace,
      BooleanSupplier cancelled,
      IoRunnable mayNote) {
    this.region = region;
    this.definition = definition;
    this.table = table;
    this.writer = writer;
    this.flush = flush;
    this.pace = pace;
    this.cancelled = cancelled;
    this.mayNote = mayNote;
    this.entries = new BatchEntries(region.getTableDescriptor().getTableName(), definition);
  }

  /**
   * Builds what is not built.
   *
   * @param notes what is, as the index table notes it, read before the first cell is
   * @param mark the region's
   */
  void build(ControlNotes notes, OpeningMark mark) throws IOException {
    epoch = notes.epoch();
    opening = mark.number();
    barrier();
    flush();
    byte[] start = region.getRegionInfo().getStartKey();
    byte[] end = region.getRegionInfo().getEndKey();
    byte[] from = new BuiltRanges(notes.builtFor(mark)).reach(start);
    try {
      build(from, end);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      noteSent(from, e);
      throw e;
    }
  }

  private void build(byte[] from, byte[] end) throws IOException {
    try (PhysicalCells cells =
        PhysicalCells.range(region, definition.column().family(), from, end)) {
      byte[] row = from;
      UnshippedBytes unshipped = new UnshippedBytes();
      for (Cell c = cells.next(); c != null; c = cells.next()) {
        if (!CellUtil.matchingRows(c, row)) {
          row = CellUtil.cloneRow(c);
          rows++;
          if (batch.isFull()) {
            checkpoint(from, row);
          }
        } else if (batch.isFull()) {
          checkOpen();
          send();
        }
        add(c);
        read += PrivateCellUtil.estimatedSerializedSizeOf(c);
        if (unshipped.add(c)) {
          cells.shipped();
        }
        if (read >= PACED_BYTES) {
          checkOpen();
          pace();
        }
      }
    }
    pace();
    checkOpen();
    send();
    note(from, end);
  }

  private void pace() {
    pace.read(rows, read);
    read = 0;
    rows = 0;
  }

  /**
   * Sends what there is.
   *
   * @param next the first row that is not in it
   */
  private void checkpoint(byte[] from, byte[] next) throws IOException {
    checkOpen();
    send();
    sent = next;
    if (batches % NOTE_EVERY == 0) {
      note(from, next);
    }
  }

  /** A build that fails while servers are busy goes on where it was, or it might never end. */
  private void noteSent(byte[] from, IOException failure) {
    if (sent != null) {
      try {
        note(from, sent);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * What was read is all there was only if the region is not closing even now: the stores of a
   * closed region are empty.
   */
  private void checkOpen() throws IOException {
    if (cancelled.getAsBoolean()) {
      throw new InterruptedIOException("the region closes");
    }
  }

  /**
   * After it every write has its entries: those that had passed the hook before the region knew of
   * the index have ended.
   */
  private void barrier() throws IOException {
    region.blockUpdates();
    region.unblockUpdates();
  }

  /**
   * What the log has and the memstore has not is no more to come back: versions that something
   * replaced which was not logged, or that a compaction dropped in memory, when the index was not
   * known.
   */
  private void flush() throws IOException {
    checkOpen();
    flush.run(definition.column().family(), this::checkOpen);
  }

  private void add(Cell cell) throws IOException {
    if (CellUtil.isPut(cell) && definition.column().matches(cell)) {
      entries.ofStored(cell).ifPresent(e -> batch.add(e.put(BatchEntries.isLabelled(cell))));
    }
  }

  private void send() throws IOException {
    if (!batch.isEmpty()) {
      writer.write(table, batch.take());
      batches++;
    }
  }

  private void note(byte[] from, byte[] to) throws IOException {
    mayNote.run();
    writer.write(table, List.of(ControlRows.built(epoch, from, to, opening)));
  }
}
