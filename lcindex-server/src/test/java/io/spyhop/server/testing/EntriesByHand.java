package io.spyhop.server.testing;

import io.spyhop.core.global.ServerTime;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/** Deletes entries behind the index's back, with a fence as servers give it. */
public final class EntriesByHand {
  private EntriesByHand() {}

  /** Makes deletes on an index table; all servers of a mini cluster have one clock. */
  public static void delete(TestCluster cluster, TableName indexTable, List<Delete> deletes)
      throws IOException {
    try (Table table = cluster.connection().getTable(indexTable);
        RegionLocator locator = cluster.connection().getRegionLocator(indexTable)) {
      for (Delete d : deletes) {
        String server = locator.getRegionLocation(d.getRow(), true).getServerName().toString();
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        d.setAttribute(ServerTime.FENCE, new ServerTime(server, until).encode());
        table.delete(d);
      }
    }
  }
}
