package io.spyhop.core.schema;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a table's changed definitions. Stateless. */
public final class DescriptorChange {
  private static final Logger LOG = LoggerFactory.getLogger(DescriptorChange.class);

  /** What HBase says of changes that it does not make in this way. */
  private static final String NEEDS_REOPENING = "won't reopen regions";

  private DescriptorChange() {}

  /**
   * Changes the descriptor alone, if HBase does that. Version 2.6.1 refuses it for every table with
   * a coprocessor: it takes an unchanged list of coprocessors for a changed one.
   *
   * @return whether the regions have been reopened; otherwise they are still to be told
   */
  public static boolean apply(Admin admin, TableDescriptor table) throws IOException {
    try {
      admin.modifyTable(table, false);
      return false;
    } catch (HBaseIOException e) {
      if (!String.valueOf(e.getMessage()).contains(NEEDS_REOPENING)) {
        throw e;
      }
      LOG.info("Reopening the regions of table {}: {}", table.getTableName(), e.getMessage());
      admin.modifyTable(table, true);
      return true;
    }
  }
}
