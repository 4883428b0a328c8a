package io.spyhop.server.index.global;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.server.index.global.entry.EntryWriter;
import io.spyhop.server.index.global.repair.EntryDeletionGate;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bulk loads of one region of a base table: their files get entries before they are loaded, and
 * what is loaded has to be what was read (docs/decisions/0050). Thread-safe; all that is done for a
 * load is done in its thread.
 */
final class RegionLoads {
  private static final Logger LOG = LoggerFactory.getLogger(RegionLoads.class);

  private final HRegion region;
  private final TableName base;
  private final RegionOpening opening;
  private final EntryWriter writer;
  private final LoadSlots slots;
  private final KeptIndexes kept;
  private final RegionWrites writes;
  private final Supplier<EntryDeletionGate> removals;
  private final BulkLoads loads = new BulkLoads();

  /**
   * @param removals gives what is told of the rows that are loaded
   */
  RegionLoads(
      HRegion region,
      RegionOpening opening,
      EntryWriter writer,
      LoadSlots slots,
      KeptIndexes kept,
      RegionWrites writes,
      Supplier<EntryDeletionGate> removals) {
    this.region = region;
    this.base = region.getTableDescriptor().getTableName();
    this.opening = opening;
    this.writer = writer;
    this.slots = slots;
    this.kept = kept;
    this.writes = writes;
    this.removals = removals;
  }

  /** Whether HFiles are being loaded that lack entries in an index. */
  boolean anyWithout(GlobalIndex index) {
    return loads.anyWithout(index);
  }

  /**
   * Adds the entries of HFiles that are about to be loaded by this thread.
   *
   * @param files by family; the very list that HBase has
   */
  void begin(List<Pair<byte[], String>> files) throws IOException {
    loads.begin(files);
    boolean done = false;
    try {
      List<GlobalIndex> known = kept.current();
      loads.know(files, known, removals.get());
      if (!known.isEmpty()) {
        BulkToken.require(base, files, region.getReadOnlyConfiguration());
        slots.run(() -> enter(files, known));
      }
      done = true;
    } finally {
      if (!done) {
        end(false);
      }
    }
  }

  private void enter(List<Pair<byte[], String>> files, List<GlobalIndex> known) throws IOException {
    for (GlobalIndex index : known) {
      IoConsumer<List<Put>> sink =
          puts -> {
            if (!puts.isEmpty()) {
              loads.enters(index);
            }
            writes.send(index, puts, null);
          };
      loads.written(index, new BulkEntries(region, index.definition(), sink).write(files));
    }
  }

  /**
   * A file that this thread loads is where nobody replaces it any more, and nobody reads it yet. If
   * it is none of those that were read, nobody is to believe the index until it is built again.
   *
   * @param from where it came from, and goes if that cannot be noted
   * @throws IOException if it must not be loaded
   */
  void committed(byte[] family, Path from, Path to) throws IOException {
    FileSystem fs = region.getFilesystem();
    if (!kept.are(family) || !fs.exists(to)) {
      return;
    }
    boolean done = false;
    try {
      compare(family, to);
      done = true;
    } finally {
      if (!done && !from.equals(to) && !fs.rename(to, from)) {
        LOG.error("'{}' is loaded when {} opens again, without entries; take it away", to, region);
      }
    }
  }

  private void compare(byte[] family, Path file) throws IOException {
    if (!loads.isAny()) {
      throw new DoNotRetryIOException(
          "table '"
              + base
              + "': '"
              + file
              + "' is loaded past the hooks of bulk loads, and has no entries: load it as HBase"
              + " does");
    }
    FileSystem fs = region.getFilesystem();
    for (GlobalIndex index : loads.lacking(family, fs, file, region.getReadOnlyConfiguration())) {
      LOG.warn(
          "{} loads '{}', which is none of the files that were read before: index '{}' is built"
              + " again",
          region,
          file,
          index);
      opening.startAnew(index);
    }
  }

  /**
   * The thread's load has ended. If it has failed, or has loaded other files than were read,
   * nothing may be behind its entries: those of the index are looked at, and go.
   *
   * @param done whether its files are loaded
   */
  void end(boolean done) {
    loads.end(done).forEach(this::doubt);
  }

  private void doubt(GlobalIndex index) {
    try {
      long now = EnvironmentEdgeManager.currentTime();
      writer.write(index.table(), List.of(ControlRows.Look.all(now).put()));
    } catch (IOException e) {
      LOG.warn(
          "Entries of files that {} did not load stay in '{}' until they are met or looked for"
              + " (spyhop index verify --repair)",
          region,
          index,
          e);
    }
  }
}
