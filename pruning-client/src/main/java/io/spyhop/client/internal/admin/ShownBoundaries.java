package io.spyhop.client.internal.admin;

import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Index tables with regions from before their boundaries had to tell nothing. Stateless. */
final class ShownBoundaries {
  private static final Logger LOG = LoggerFactory.getLogger(ShownBoundaries.class);

  private ShownBoundaries() {}

  /** What to do about an index's table, if something is to be done and the caller may know. */
  static List<String> lines(Connection connection, TableName table) throws IOException {
    int regions = TableInfo.regions(connection, table).size();
    if (regions < 2 || !hides(connection, table)) {
      return List.of();
    }
    return List.of(
        "the boundaries of the "
            + regions
            + " regions of its table '"
            + table
            + "' show values to everybody: rebuild the index (spyhop index rebuild)");
  }

  /** HBase shows an index table's descriptor to superusers and administrators alone. */
  private static boolean hides(Connection connection, TableName table) throws IOException {
    try {
      return IndexTable.hidesBoundaries(TableInfo.descriptor(connection, table));
    } catch (AccessDeniedException e) {
      LOG.debug("The descriptor of table {} is not shown", table, e);
      return false;
    }
  }
}
