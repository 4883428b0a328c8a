package io.spyhop.server.ddl;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.protocol.RegionRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Speaks with the regions of base tables, as the master's own user. Thread-safe. */
final class BaseRegions {
  private static final Logger LOG = LoggerFactory.getLogger(BaseRegions.class);
  private static final int REFRESH_MILLIS = 20_000;

  private final SystemConnection connection;

  BaseRegions(SystemConnection connection) {
    this.connection = connection;
  }

  /** Has the regions of a base table read its definitions; they also do after a while. */
  void tell(Admin admin, TableName base) throws IOException {
    if (!admin.isTableEnabled(base)) {
      return;
    }
    List<Get> gets = new ArrayList<>();
    try (RegionLocator locator = connection.get().getRegionLocator(base)) {
      // what is remembered of regions that are made anew hides them (docs/decisions/0007)
      locator.clearRegionLocationCache();
      for (HRegionLocation region : locator.getAllRegionLocations()) {
        gets.add(RegionRequest.of(RegionRequest.Kind.REFRESH).toGet(region.getRegion()));
      }
    }
    try (Table table =
        connection
            .get()
            .getTableBuilder(base, null)
            .setOperationTimeout(REFRESH_MILLIS)
            .setReadRpcTimeout(REFRESH_MILLIS)
            .build()) {
      table.batch(gets, new Object[gets.size()]);
    } catch (RetriesExhaustedWithDetailsException | SocketTimeoutException e) {
      LOG.warn("Some regions of table {} do not know its indexes yet", base, e);
    } catch (InterruptedException e) {
      throw Interruption.of("telling regions", e);
    }
  }
}
