package io.spyhop.server.index.global.repair;

import io.spyhop.core.protocol.EntryList;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/** Hands entries to the regions that have their rows now. */
@FunctionalInterface
public interface RepairForwarder {
  /**
   * Returns when all entries were accepted durably, see {@link RegionRepair#accept}.
   *
   * @throws IOException if any may not have been; all may be sent again
   */
  void forward(TableName base, EntryList entries) throws IOException;
}
