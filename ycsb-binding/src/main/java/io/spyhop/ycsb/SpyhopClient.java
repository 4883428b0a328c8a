package io.spyhop.ycsb;

import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/**
 * A table of HBase as YCSB sees it, with the properties of YCSB's own binding for HBase 2: {@code
 * columnfamily} (must be said), {@code clientbuffering}, {@code writebuffersize}, {@code
 * durability}, {@code hbase.usepagefilter}. All other properties that begin with {@code hbase.} or
 * {@code zookeeper.} are settings of the connection; {@code spyhop.create} has the table created if
 * it is not there, with {@code spyhop.regions} regions. YCSB makes one for each of its threads.
 *
 * <p>Reading by value is not in YCSB's interface: the workloads of this package do that beside it.
 */
public final class SpyhopClient extends DB {
  private static final long WRITE_BUFFER = 12L << 20;

  private static final int FIRST_DIGITS = 1000;
  private static final int LAST_DIGITS = 9999;

  private Connections connections;
  private TableName created;
  private boolean create;
  private int regions;
  private byte[] family;
  private boolean buffering;
  private long bufferBytes;
  private boolean pageFilter;
  private Durability durability;
  private String tableName = "";
  private Table table;
  private BufferedMutator mutator;

  /** Called by YCSB once, before all else. */
  @Override
  public void init() throws DBException {
    try {
      Settings settings = new Settings(getProperties());
      configure(settings);
      connections = Connections.get(settings);
      String of = Bytes.toString(family);
      if (create) {
        YcsbTable.create(connections.connection(), created, of, regions, this::split);
      }
      YcsbTable.require(connections.connection(), created, of);
    } catch (WorkloadException | IOException | RuntimeException e) {
      throw failed("INIT", e);
    }
  }

  /** YCSB goes on without the thread, and only what has a status is counted. */
  private static DBException failed(String operation, Exception e) {
    Measurements.getMeasurements().reportStatus(operation, Status.ERROR);
    return new DBException(operation + " failed: " + Complaints.line(e), e);
  }

  /** YCSB's own keys are "user" and digits; so its documentation splits a table. */
  private String split(int region) {
    return "user" + (FIRST_DIGITS + region * (LAST_DIGITS - FIRST_DIGITS) / regions);
  }

  /**
   * Reads all properties, and does nothing else.
   *
   * @throws WorkloadException if one is wrong; the message names it
   */
  void configure(Settings settings) throws WorkloadException {
    settings.requireKnown();
    created = settings.table();
    family = Bytes.toBytes(settings.family());
    buffering = settings.isTrue("clientbuffering", false);
    bufferBytes = settings.number("writebuffersize", WRITE_BUFFER, 1, Integer.MAX_VALUE);
    pageFilter = settings.isTrue("hbase.usepagefilter", true);
    durability = settings.durability();
    create = settings.isTrue(Settings.CREATE, false);
    regions = (int) settings.number(Settings.REGIONS, 1, 1, YcsbTable.MAX_REGIONS);
  }

  @Override
  public void cleanup() throws DBException {
    try {
      closeTable();
      if (connections != null) {
        connections.release();
      }
    } catch (IOException | RuntimeException e) {
      throw failed("CLEANUP", e);
    }
  }

  private void closeTable() throws IOException {
    if (mutator != null) {
      mutator.close();
      mutator = null;
    }
    if (table != null) {
      table.close();
      table = null;
    }
  }

  private Table table(String name) throws IOException {
    if (!tableName.equals(name)) {
      closeTable();
      TableName asked = TableName.valueOf(name);
      table = connections.connection().getTable(asked);
      if (buffering) {
        mutator =
            connections
                .connection()
                .getBufferedMutator(new BufferedMutatorParams(asked).writeBufferSize(bufferBytes));
      }
      tableName = name;
    }
    return table;
  }

  private static Status run(String what, String table, String key, IoSupplier<Status> call) {
    try {
      return call.get();
    } catch (IOException | RuntimeException e) {
      Complaints.failed(what + " of '" + key + "' in table " + table, e);
      return Status.ERROR;
    }
  }

  @Override
  public Status read(
      String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return run(
        "read",
        name,
        key,
        () -> {
          Get get = new Get(Bytes.toBytes(key));
          if (fields == null) {
            get.addFamily(family);
          } else {
            fields.forEach(f -> get.addColumn(family, Bytes.toBytes(f)));
          }
          Result row = table(name).get(get);
          unpack(row, result);
          return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  private static void unpack(Result row, Map<String, ByteIterator> result) {
    if (row.isEmpty()) {
      return;
    }
    for (Cell c : row.rawCells()) {
      result.put(
          Bytes.toString(CellUtil.cloneQualifier(c)),
          new ByteArrayByteIterator(CellUtil.cloneValue(c)));
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's own
  public Status scan(
      String name,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return run(
        "scan",
        name,
        startkey,
        () -> {
          try (ResultScanner rows = table(name).getScanner(scan(startkey, recordcount, fields))) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
              HashMap<String, ByteIterator> fieldsOfRow = new HashMap<>();
              unpack(row, fieldsOfRow);
              result.add(fieldsOfRow);
            }
          }
          return Status.OK;
        });
  }

  private Scan scan(String startkey, int recordcount, Set<String> fields) {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes(startkey))
            .setCaching(recordcount)
            .setLimit(recordcount);
    if (pageFilter) {
      scan.setFilter(new PageFilter(recordcount));
    }
    if (fields == null) {
      scan.addFamily(family);
    } else {
      fields.forEach(f -> scan.addColumn(family, Bytes.toBytes(f)));
    }
    return scan;
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> values) {
    Put put = new Put(Bytes.toBytes(key)).setDurability(durability);
    values.forEach((field, value) -> put.addColumn(family, Bytes.toBytes(field), value.toArray()));
    return write("write", name, key, put);
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    return update(name, key, values);
  }

  @Override
  public Status delete(String name, String key) {
    return write("delete", name, key, new Delete(Bytes.toBytes(key)).setDurability(durability));
  }

  private Status write(String what, String name, String key, Mutation mutation) {
    return run(
        what,
        name,
        key,
        () -> {
          Table to = table(name);
          if (buffering) {
            mutator.mutate(mutation);
            return Status.BATCHED_OK;
          }
          if (mutation instanceof Put put) {
            to.put(put);
          } else {
            to.delete((Delete) mutation);
          }
          return Status.OK;
        });
  }
}
