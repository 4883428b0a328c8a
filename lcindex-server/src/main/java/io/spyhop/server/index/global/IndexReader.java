package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoFunction;
import io.spyhop.server.index.global.repair.EntryLookup;
import io.spyhop.server.index.global.repair.EntryScan;
import io.spyhop.server.runtime.FewThreads;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads index tables as the server's own user, within seconds, as callers may have rows locked.
 * What fails is read once more after the regions were looked up again. Thread-safe.
 */
final class IndexReader implements EntryLookup, EntryScan, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexReader.class);
  private static final int MILLIS = 10_000;

  /** A first try, before regions are looked up again. */
  private static final int FIRST_MILLIS = 2_000;

  private final Configuration conf;
  private final User user;
  private Connection connection;
  private boolean closed;

  /**
   * @param user the owner of index tables
   */
  IndexReader(Configuration conf, User user) {
    this.conf = FewThreads.copy(conf);
    this.conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, MILLIS);
    this.conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, MILLIS);
    this.conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, MILLIS);
    this.user = user;
  }

  /** A connection of the server's own; stays open. */
  synchronized Connection connection() throws IOException {
    if (closed) {
      throw new InterruptedIOException("the server stops");
    }
    if (connection == null) {
      connection = ConnectionFactory.createConnection(conf, user);
    }
    return connection;
  }

  /** Reads a few rows of an index table. */
  List<Result> read(TableName indexTable, Scan scan) throws IOException {
    return lookedUp(indexTable, table -> read(table, scan));
  }

  private static List<Result> read(Table table, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner found = table.getScanner(new Scan(scan))) {
      for (Result r = found.next(); r != null; r = found.next()) {
        rows.add(r);
      }
    }
    return rows;
  }

  @Override
  public boolean[] exist(TableName indexTable, List<Entry> entries) throws IOException {
    List<Get> gets = new ArrayList<>(entries.size());
    for (Entry e : entries) {
      gets.add(new Get(e.indexRow()).addFamily(IndexTable.ENTRIES).setTimestamp(e.timestamp()));
    }
    Result[] found = lookedUp(indexTable, table -> table.get(gets));
    boolean[] exist = new boolean[found.length];
    for (int i = 0; i < found.length; i++) {
      exist[i] = !found[i].isEmpty();
    }
    return exist;
  }

  @Override
  public List<Entry> page(TableName indexTable, byte[] from, int rows) throws IOException {
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES).withStartRow(from).readAllVersions();
    List<Entry> entries = new ArrayList<>();
    for (Result r : read(indexTable, scan.setLimit(rows).setCacheBlocks(false))) {
      byte[] row = r.getRow();
      for (Cell c : r.rawCells()) {
        entries.add(Entry.of(row, 0, row.length, c.getTimestamp()));
      }
    }
    return entries;
  }

  /** HBase's client may not look regions up again for minutes (docs/decisions/0007). */
  private <T> T lookedUp(TableName indexTable, IoFunction<Table, T> reading) throws IOException {
    Connection to = connection();
    try (Table table =
        to.getTableBuilder(indexTable, null).setOperationTimeout(FIRST_MILLIS).build()) {
      return reading.apply(table);
    } catch (IOException e) {
      if (isFinal(e)) {
        throw e;
      }
      LOG.debug("Regions of {} are looked up again", indexTable, e);
      try (RegionLocator regions = to.getRegionLocator(indexTable)) {
        regions.clearRegionLocationCache();
      }
      try (Table table = to.getTable(indexTable)) {
        return reading.apply(table);
      } catch (SocketTimeoutException late) {
        // A timeout is one of the interruptions to Java, and callers end quietly with these.
        throw new IOException("cannot read '" + indexTable + "': " + late.getMessage(), late);
      }
    }
  }

  private static boolean isFinal(IOException e) {
    boolean interrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    return interrupted || e instanceof DoNotRetryIOException;
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (IOException e) {
      LOG.warn("Closing a connection to index tables failed", e);
    }
  }
}
