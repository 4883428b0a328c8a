package io.spyhop.server.index.global.repair;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/**
 * Reads along with one flush or compaction, and leaves a durable list behind before it commits.
 * What goes wrong here costs the list, never the flush; a compaction is tried again if its list
 * cannot be written. Not thread-safe.
 */
final class RepairStream implements CellTap.CellConsumer {
  private final RepairLists lists;
  private final RepairedRegion region;
  private final ObsoleteVersions versions;
  private final RepairListWriter list;
  private final PendingList.Source source;
  private final boolean mayFail;
  private boolean done;

  /**
   * @param mayFail whether an IOException may reach who shows the cells
   */
  RepairStream(
      RepairLists lists,
      RepairedRegion region,
      ObsoleteVersions versions,
      RepairListWriter list,
      PendingList.Source source,
      boolean mayFail) {
    this.lists = lists;
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
      lists.found(list, source);
      done = true;
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable e) throws IOException {
    done = true;
    if (mayFail && e instanceof IOException io) {
      lists.abandon(list);
      throw io;
    }
    lists.lost(list, "what is dropped by " + this, e);
  }

  @Override
  public void close() {
    if (!done) {
      done = true;
      lists.abandon(list);
    }
  }

  @Override
  public String toString() {
    return source.inputs().isEmpty()
        ? "a flush of " + region
        : "the compaction of " + source.inputs() + " of " + region;
  }
}
