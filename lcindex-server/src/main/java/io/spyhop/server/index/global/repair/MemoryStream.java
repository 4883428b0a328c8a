package io.spyhop.server.index.global.repair;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads along with a compaction within a memstore: notes what it may drop, and lists it for repair.
 * The note must not fail when the list does. Not thread-safe.
 */
final class MemoryStream implements CellTap.CellConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryStream.class);

  private final ObsoleteVersions dropped;
  private final RepairStream list;
  private final Runnable lost;

  /**
   * @param dropped notes what may be dropped
   * @param lost to be run if that fails
   */
  MemoryStream(ObsoleteVersions dropped, RepairStream list, Runnable lost) {
    this.dropped = dropped;
    this.list = list;
    this.lost = lost;
  }

  @Override
  public void cell(Cell cell) throws IOException {
    try {
      dropped.add(cell);
    } catch (Throwable e) {
      lost.run();
      LOG.error("What a compaction of a memstore drops is not known; repair waits", e);
    }
    list.cell(cell);
  }

  @Override
  public void end() throws IOException {
    list.end();
  }

  @Override
  public void close() {
    list.close();
  }
}
