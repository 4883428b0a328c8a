package io.spyhop.server.ddl;

import io.spyhop.core.global.GlobalIndexRequest;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.ServerCalls;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and drops global indexes: a table of the index, which belongs to the servers' own user,
 * and a definition in the base table's descriptor. Both questions may be asked again when an answer
 * got lost. Thread-safe.
 */
public final class GlobalIndexDdl implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexDdl.class);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int REFRESH_MILLIS = 20_000;

  private final SystemConnection connection;
  private final SerialWork work;
  private final MasterAccess access;
  private final IndexTables tables;
  private final BaseTableLife life;

  /** To be made by the master, as its own user. */
  public GlobalIndexDdl(MasterServices master) throws IOException {
    connection = new SystemConnection(master.getConfiguration());
    work = new SerialWork();
    access = new MasterAccess(master);
    tables = new IndexTables(connection);
    life = new BaseTableLife(master, access, tables, work);
  }

  /** What index tables do when something happens to their base table. */
  public BaseTableLife life() {
    return life;
  }

  /** Whether a request comes from the servers' own user or another superuser. */
  public static boolean isSystem(Optional<User> caller) {
    return MasterAccess.isSystem(caller);
  }

  /**
   * Answers {@link ServerCalls#CREATE_QUESTION} and {@link ServerCalls#DROP_QUESTION}.
   *
   * @throws DoNotRetryIOException if it cannot be done; the message says why
   */
  public byte[] answer(String question, byte[] payload, Optional<User> caller) throws IOException {
    GlobalIndexRequest request = GlobalIndexRequest.decode(payload);
    boolean create = question.equals(ServerCalls.CREATE_QUESTION);
    String what = (create ? "create" : "drop") + " an index of";
    access.requireChange(caller, request.table(), what);
    work.run(
        question + " '" + request.index().name() + "' of table '" + request.table() + "'",
        PATIENCE,
        () -> {
          if (create) {
            create(request);
          } else {
            drop(request);
          }
        });
    return new byte[0];
  }

  private void create(GlobalIndexRequest request) throws IOException {
    IndexDefinition index = request.index();
    try (Admin admin = connection.get().getAdmin()) {
      TableDescriptor base = base(admin, request.table());
      TableName name = IndexTable.nameOf(request.table(), index.name());
      if (!isMade(admin, base, index, name)) {
        TableDescriptor after = with(base, index);
        tables.drop(name);
        admin.createTable(IndexTable.descriptor(base, index), splits(request));
        define(admin, after, name);
      }
      tell(admin, request.table());
    }
    LOG.info("Created global index {} of table {}", index, request.table());
  }

  private static byte[][] splits(GlobalIndexRequest request) {
    return request.splits().isEmpty() ? null : request.splits().toArray(new byte[0][]);
  }

  private static TableDescriptor base(Admin admin, TableName table) throws IOException {
    if (table.isSystemTable() || IndexTable.isReserved(table)) {
      throw new DoNotRetryIOException("table '" + table + "' cannot have a global index");
    }
    try {
      return admin.getDescriptor(table);
    } catch (TableNotFoundException e) {
      throw (TableNotFoundException)
          new TableNotFoundException("table '" + table + "' does not exist").initCause(e);
    }
  }

  /** Whether the very same index has been made by an earlier request. */
  private static boolean isMade(
      Admin admin, TableDescriptor base, IndexDefinition index, TableName name) throws IOException {
    boolean defined = IndexSchema.of(base).index(index.name()).equals(Optional.of(index));
    return defined && admin.tableExists(name) && IndexTable.holds(admin.getDescriptor(name), index);
  }

  private static TableDescriptor with(TableDescriptor base, IndexDefinition index)
      throws IOException {
    if (index.kind() != IndexKind.GLOBAL) {
      throw new DoNotRetryIOException("index '" + index.name() + "' is not a GLOBAL one");
    }
    try {
      TableDescriptor after = IndexSchema.withIndex(base, index);
      DescriptorRules.checkIndexes(after);
      return after;
    } catch (InvalidIndexException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private void define(Admin admin, TableDescriptor base, TableName index) throws IOException {
    try {
      DescriptorChange.apply(admin, base);
    } catch (IOException | RuntimeException e) {
      try {
        tables.drop(index);
      } catch (IOException | RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  private void drop(GlobalIndexRequest request) throws IOException {
    IndexDefinition index = request.index();
    TableName name = IndexTable.nameOf(request.table(), index.name());
    try (Admin admin = connection.get().getAdmin()) {
      TableDescriptor base = base(admin, request.table());
      Optional<IndexDefinition> defined = IndexSchema.of(base).index(index.name());
      if (defined.isPresent() && defined.get().incarnation() != index.incarnation()) {
        throw new DoNotRetryIOException(
            "table '"
                + request.table()
                + "' has another index '"
                + index.name()
                + "' by now: look at its indexes and try again");
      }
      if (defined.isPresent()) {
        DescriptorChange.apply(admin, IndexSchema.withoutIndex(base, index.name()));
        tell(admin, request.table());
      }
      tables.drop(name);
    }
    LOG.info("Dropped global index {} of table {}", index.name(), request.table());
  }

  /** Has the regions of a base table read its definitions; they also do after a while. */
  private void tell(Admin admin, TableName base) throws IOException {
    if (!admin.isTableEnabled(base)) {
      return;
    }
    List<Get> gets = new ArrayList<>();
    try (RegionLocator locator = connection.get().getRegionLocator(base)) {
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
    } catch (RetriesExhaustedWithDetailsException e) {
      LOG.warn("Some regions of table {} do not know its indexes yet", base, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("telling regions").initCause(e);
    }
  }

  @Override
  public void close() throws IOException {
    work.close();
    connection.close();
  }
}
