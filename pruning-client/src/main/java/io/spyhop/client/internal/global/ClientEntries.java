package io.spyhop.client.internal.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes entries of an index before the puts that they are for, as the DELI paper's prototype does
 * (Algorithm 1), so that the base table's region need not. Thread-safe.
 *
 * <p>In this order: a ticket from the region, the entry, then the put with the ticket. If the
 * region has closed or deleted entries meanwhile, it writes the entry again.
 */
public final class ClientEntries {
  private static final Logger LOG = LoggerFactory.getLogger(ClientEntries.class);

  private final IndexCalls calls;

  /** Uses calls to index and base table. */
  public ClientEntries(IndexCalls calls) {
    this.calls = calls;
  }

  /**
   * Writes the entry of a put of one cell, of the indexed column and with a timestamp of its own,
   * and marks the put. Where that is not possible the put stays as it is, and the region of the
   * base table writes the entry.
   */
  public void enter(IndexDefinition index, Put put) {
    Cell cell = put.getFamilyCellMap().get(index.column().family()).get(0);
    byte[] value = CellUtil.cloneValue(cell);
    byte[] key = index.type().codec().key(value, 0, value.length).bytes();
    Entry entry = new Entry(key, put.getRow(), cell.getTimestamp());
    if (index.global().maintenance() != Maintenance.DEFERRED || !entry.fits()) {
      return;
    }
    try {
      EntryTicket ticket = calls.ticket(index, put.getRow());
      if (calls.enter(index, entry)) {
        put.setAttribute(Attributes.ENTERED, ticket.encode());
      }
    } catch (IOException e) {
      LOG.debug("The base table's region writes entry {} of {}", entry, index, e);
    }
  }
}
