package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.protocol.OrphanTables;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.runtime.DefinitionsNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, drops and rebuilds global indexes: a table of the index, which belongs to the servers'
 * own user, and a definition in the base table's descriptor. All questions may be asked again when
 * an answer got lost. What has been begun is in a journal until it has ended; the next master ends
 * what this one does not. Thread-safe.
 */
public final class GlobalIndexDdl implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexDdl.class);

  /** How long an answer takes at most; shorter than clients wait, who then ask again. */
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  /** How long after a failure this master tries again by itself. */
  private static final Duration PAUSE = Duration.ofSeconds(15);

  private final MasterServices master;
  private final SystemConnection connection;
  private final TableTaskQueues lanes;
  private final MasterAccess access;
  private final DdlJournal journal;
  private final DdlSteps steps;
  private final BaseTableLife life;
  private final Orphans orphans;

  /**
   * To be made by the master, as its own user.
   *
   * @param watch is told of each step, as {@code "create: table made"}, right after it has been
   *     done: a master may die there; thread-safe
   */
  public GlobalIndexDdl(MasterServices master, IoConsumer<String> watch) throws IOException {
    this.master = master;
    connection = new SystemConnection(master.getConfiguration());
    lanes = new TableTaskQueues();
    access = new MasterAccess(master);
    journal =
        new DdlJournal(
            master.getMasterFileSystem().getFileSystem(),
            master.getMasterFileSystem().getRootDir());
    HiddenBoundaries boundaries = new HiddenBoundaries(master);
    IndexTables tables = new IndexTables(connection, boundaries, this::tellServers);
    steps =
        new DdlSteps(
            connection,
            tables,
            boundaries,
            journal,
            watch,
            () -> master.isStopping() || master.isStopped() || master.isAborted());
    life = new BaseTableLife(master, access, tables, journal, lanes, watch);
    orphans = new Orphans(master, tables, journal);
  }

  /** An index table is to be built again: the regions of its base table look at it. */
  private void tellServers(TableName index) throws IOException {
    TableDescriptor table = master.getTableDescriptors().get(index);
    if (table != null) {
      Optional<TableName> base = IndexTable.baseOf(table);
      if (base.isPresent()) {
        DefinitionsNode.tell(master.getZooKeeper(), base.get());
      }
    }
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
   * Checks that the caller may change a table. To be called in the thread of the request.
   *
   * @param what the caller asks for, for the message
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if not
   */
  public void requireChange(Optional<User> caller, TableName table, String what)
      throws IOException {
    access.requireChange(caller, table, what);
  }

  /**
   * Checks a table that is to be created with global indexes in its descriptor, whose tables are
   * made after it: as for an index that is created by itself, who asks needs ADMIN on everything,
   * and there has to be room.
   *
   * @param regions how many it begins with
   */
  public void checkNew(Optional<User> caller, TableDescriptor table, int regions)
      throws IOException {
    access.requireAdmin(
        caller,
        "create table '"
            + table.getTableName()
            + "' with global indexes in its descriptor (create it without them, and have them"
            + " created)");
    NamespaceRoom.require(master, table, regions);
  }

  /** Whether this or an earlier master is making a definition's table anew. */
  public boolean isRebuilding(TableName base, IndexDefinition index) throws IOException {
    return journal.isOpen(
        new DdlRecord(DdlRecord.Kind.REBUILD, new GlobalIndexRequest(base, index, List.of())));
  }

  /**
   * Answers {@link Question#CREATE}, {@link Question#DROP} and {@link Question#REBUILD}.
   *
   * @throws DoNotRetryIOException if it cannot be done; the message says why
   * @throws IOException if it has not been done yet; ask again
   */
  public byte[] answer(Question question, byte[] payload, Optional<User> caller)
      throws IOException {
    GlobalIndexRequest request = GlobalIndexRequest.decode(payload);
    DdlRecord.Kind kind =
        switch (question) {
          case CREATE -> DdlRecord.Kind.CREATE;
          case DROP -> DdlRecord.Kind.DROP;
          default -> DdlRecord.Kind.REBUILD;
        };
    DdlRecord record = new DdlRecord(kind, request);
    access.requireChange(caller, request.table(), question + " of");
    lanes.run(record.base(), nameOf(record), PATIENCE, () -> begin(record));
    return new byte[0];
  }

  /** What is tried again is the same work as what is asked for again. */
  private static String nameOf(DdlRecord record) {
    return record + " (" + record.name() + ")";
  }

  private void begin(DdlRecord record) throws IOException {
    try {
      steps.run(record);
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      if (journal.isOpen(record)) {
        later(record, PAUSE);
      }
      throw e;
    }
  }

  private void later(DdlRecord record, Duration pause) throws IOException {
    lanes.later(record.base(), nameOf(record), pause, () -> resume(record));
  }

  private void resume(DdlRecord record) throws IOException {
    if (journal.isOpen(record)) {
      begin(record);
    }
  }

  /**
   * A table has come with definitions of its own: it was created from a descriptor, or is a clone.
   * The indexes whose tables are not there are made, as if rebuilt. Returns at once.
   */
  public void makeMissing(TableDescriptor table) throws IOException {
    if (table.getTableName().isSystemTable() || IndexTable.isReserved(table.getTableName())) {
      return;
    }
    for (IndexDefinition index : IndexSchema.of(table).globals().indexes()) {
      GlobalIndexRequest request = new GlobalIndexRequest(table.getTableName(), index, List.of());
      TableDescriptor descriptor =
          master.getTableDescriptors().get(IndexTable.nameOf(table.getTableName(), index.name()));
      if (descriptor == null || !IndexTable.holds(descriptor, index)) {
        DdlRecord record = new DdlRecord(DdlRecord.Kind.REBUILD, request);
        LOG.info("To be made: the table of {} of {}", index, table.getTableName());
        lanes.later(record.base(), nameOf(record), Duration.ZERO, () -> begin(record));
      }
    }
  }

  /** Ends what earlier masters have begun. Returns at once. */
  public void resume() throws IOException {
    for (DdlRecord record : journal.open()) {
      LOG.info("To be ended: {}", record);
      later(record, Duration.ZERO);
    }
    for (TableName table : orphans.ofDeadTables()) {
      LOG.info("To be dropped: {}, as its base table is gone", table);
      dropLater(table);
    }
    life.alignAll();
  }

  /** What is wrong with what masters have begun, for who looks after the cluster. */
  public List<Trouble> troubles() throws IOException {
    Set<TableName> indexTables = new TreeSet<>();
    for (TableDescriptor table : master.getTableDescriptors().getAll().values()) {
      TableName name = table.getTableName();
      if (IndexTable.isReserved(name)) {
        indexTables.add(name);
      }
      IndexSchema.of(table).globals().indexes().stream()
          .map(index -> IndexTable.nameOf(name, index.name()))
          .forEach(indexTables::add);
    }
    return journal.troubles(indexTables);
  }

  private void dropLater(TableName table) throws IOException {
    TableName lane = orphans.baseOf(table);
    lanes.later(lane, "drop orphan '" + table + "'", Duration.ZERO, () -> orphans.drop(table));
  }

  /** The index tables that no definition names, an encoded {@link OrphanTables}. */
  public byte[] orphans(Optional<User> caller) throws IOException {
    access.requireAdmin(caller, "list orphaned index tables");
    return orphans.list().encode();
  }

  /**
   * Drops an orphan.
   *
   * @param payload its name
   * @throws DoNotRetryIOException if it is none
   */
  public byte[] dropOrphan(byte[] payload, Optional<User> caller) throws IOException {
    access.requireAdmin(caller, "drop an orphaned index table");
    TableName table;
    try {
      table = TableName.valueOf(new String(payload, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("the orphan's name is no table's", e);
    }
    TableName lane = orphans.baseOf(table);
    lanes.run(lane, "drop orphan '" + table + "'", PATIENCE, () -> orphans.drop(table));
    return new byte[0];
  }

  @Override
  public void close() throws IOException {
    lanes.close();
    connection.close();
  }
}
