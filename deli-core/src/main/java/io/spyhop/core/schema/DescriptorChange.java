package io.spyhop.core.schema;

import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a table's changed definitions. Stateless. */
public final class DescriptorChange {
  private static final Logger LOG = LoggerFactory.getLogger(DescriptorChange.class);

  /** What HBase says of changes that it does not make in this way. */
  private static final String NEEDS_REOPENING = "won't reopen regions";

  private static final int ATTEMPTS = 5;

  private DescriptorChange() {}

  /**
   * Changes definitions alone, of the descriptor as it is at the moment: one that was read earlier
   * would undo what another client has changed since, down to families and their data. HBase
   * changes a descriptor alone if it may; version 2.6.1 refuses it for every table with a
   * coprocessor, as it takes an unchanged list of coprocessors for a changed one.
   *
   * @param change makes a new descriptor of the current one, or returns it if there is nothing to
   *     do; called again if another client changes the table at the same time
   * @return whether the regions have been reopened; otherwise they are still to be told
   * @throws StaleDescriptorException if others change the table all the time
   */
  public static boolean apply(
      Admin admin, TableName table, IoFunction<TableDescriptor, TableDescriptor> change)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return applyOnce(admin, table, change);
      } catch (StaleDescriptorException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        LOG.info("Table {} has been changed meanwhile, once more: {}", table, e.getMessage());
      }
    }
  }

  private static boolean applyOnce(
      Admin admin, TableName table, IoFunction<TableDescriptor, TableDescriptor> change)
      throws IOException {
    TableDescriptor current = admin.getDescriptor(table);
    TableDescriptor changed = change.apply(current);
    if (changed.equals(current)) {
      return false;
    }
    try {
      admin.modifyTable(changed, false);
      return false;
    } catch (HBaseIOException e) {
      if (!String.valueOf(e.getMessage()).contains(NEEDS_REOPENING)) {
        throw e;
      }
      LOG.info("Reopening the regions of table {}: {}", table, e.getMessage());
      admin.modifyTable(change.apply(admin.getDescriptor(table)), true);
      return true;
    }
  }
}
