package io.spyhop.server.index.global.repair;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads along with one flush or compaction, and leaves a durable list behind before it commits.
 * What goes wrong here costs the list, never the flush; a compaction is tried again if its list
 * cannot be written. Not thread-safe.
 */
final class RepairStream implements CellTap.CellConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(RepairStream.class);

  private final RegionRepair region;
  private final ObsoleteVersions versions;
  private final RepairListWriter list;
  private final PendingList.Source source;
  private final boolean mayFail;
  private boolean done;

  /**
   * @param mayFail whether an IOException may reach who shows the cells
   */
  RepairStream(
      RegionRepair region,
      ObsoleteVersions versions,
      RepairListWriter list,
      PendingList.Source source,
      boolean mayFail) {
    this.region = region;
    this.versions = versions;
    this.list = list;
    this.source = source;
    this.mayFail = mayFail;
  }

  @Override
  public void cell(Cell cell) throws IOException {
    if (done) {
      return;
    }
    try {
      versions.add(cell);
    } catch (Throwable e) {
      failed(e);
    }
  }

  @Override
  public void end() throws IOException {
    if (done) {
      return;
    }
    try {
      region.lists().found(list, source);
      done = true;
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable e) throws IOException {
    done = true;
    region.lists().abandon(list);
    if (mayFail && e instanceof IOException io) {
      throw io;
    }
    region.lost();
    LOG.error("What {} drops is not known; obsolete entries stay until reads find them", this, e);
  }

  @Override
  public void close() {
    if (!done) {
      done = true;
      region.lists().abandon(list);
    }
  }

  @Override
  public String toString() {
    return source.inputs().isEmpty()
        ? "a flush of " + region
        : "the compaction of " + source.inputs() + " of " + region;
  }
}
