package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.StaleDescriptorException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.MasterStoppedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which a global index comes, goes and is made anew. Each may be done again, by the
 * same master or by the next, whatever of it and of the later ones has been done: what is there is
 * looked at first. Thread-safe for indexes of different base tables.
 */
final class DdlSteps {
  private static final Logger LOG = LoggerFactory.getLogger(DdlSteps.class);

  private final SystemConnection connection;
  private final IndexTables tables;
  private final HiddenBoundaries boundaries;
  private final BaseRegions regions;
  private final DdlJournal journal;
  private final IoConsumer<String> watch;
  private final BooleanSupplier stops;

  /**
   * @param stops whether this master stops
   */
  DdlSteps(
      SystemConnection connection,
      IndexTables tables,
      HiddenBoundaries boundaries,
      DdlJournal journal,
      IoConsumer<String> watch,
      BooleanSupplier stops) {
    this.connection = connection;
    this.tables = tables;
    this.boundaries = boundaries;
    this.regions = new BaseRegions(connection);
    this.journal = journal;
    this.watch = watch;
    this.stops = stops;
  }

  /**
   * Does what a record says, from wherever it is.
   *
   * @throws DoNotRetryIOException if it can never be done; then nothing of it is left
   * @throws IOException if it can be done later; the record is still there
   */
  void run(DdlRecord record) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      switch (record.kind()) {
        case CREATE -> create(admin, record);
        case DROP -> drop(admin, record);
        case REBUILD -> rebuild(admin, record);
      }
    } catch (TableNotDisabledException
        | TableNotEnabledException
        | TableExistsException
        | StaleDescriptorException
        | MasterStoppedException e) {
      throw new IOException(record + ": " + e.getMessage() + "; it is tried again", e);
    } catch (InvalidIndexException e) {
      throw givenUp(record, new DoNotRetryIOException(e.getMessage(), e));
    } catch (DoNotRetryIOException e) {
      if (stops.getAsBoolean() || connection.isClosed()) {
        throw new IOException(record + ": this master stops; the next one goes on", e);
      }
      throw givenUp(record, e);
    }
    LOG.info("Done: {} ({})", record, record.index());
  }

  private void create(Admin admin, DdlRecord asked) throws IOException {
    TableDescriptor base = base(admin, asked.base());
    DdlRecord record = boundaries.settled(asked, base);
    if (!isMade(admin, base, record)) {
      checkNew(base, record);
      begin(record);
      tables.make(record, base);
      watch.accept("create: table made");
      DescriptorChange.apply(admin, record.base(), now -> defined(same(now, record), record));
      watch.accept("create: defined");
    }
    regions.tell(admin, record.base());
    journal.end(record);
  }

  /**
   * The descriptor, read before this is asked: a table that comes after the record's has found the
   * record ended.
   */
  private TableDescriptor same(TableDescriptor now, DdlRecord record) throws IOException {
    if (!journal.isOpen(record)) {
      throw new DoNotRetryIOException(
          record + ": the table was dropped meanwhile; ask again for one of its name");
    }
    return now;
  }

  private static void checkNew(TableDescriptor base, DdlRecord record) throws IOException {
    IndexDefinition index = record.index();
    if (!index.kind().hasTable()) {
      throw new DoNotRetryIOException("index '" + index.name() + "' is not a GLOBAL one");
    }
    IndexTable.checkName(base.getTableName(), index.name());
    DescriptorRules.checkIndexes(
        isDefined(base, record) ? base : IndexSchema.withIndex(base, index));
    IndexTable.descriptor(base, index);
  }

  private static TableDescriptor defined(TableDescriptor now, DdlRecord record) throws IOException {
    checkNew(now, record);
    return isDefined(now, record) ? now : IndexSchema.withIndex(now, record.index());
  }

  private static boolean isDefined(TableDescriptor base, DdlRecord record) {
    IndexDefinition index = record.index();
    return IndexSchema.of(base).index(index.name()).equals(Optional.of(index));
  }

  private void begin(DdlRecord record) throws IOException {
    journal.begin(record);
    watch.accept(record.kind().name().toLowerCase(java.util.Locale.ROOT) + ": begun");
  }

  private void drop(Admin admin, DdlRecord record) throws IOException {
    Optional<TableDescriptor> base = existing(admin, record.base());
    Optional<IndexDefinition> defined =
        base.flatMap(b -> IndexSchema.of(b).index(record.index().name()));
    if (base.isPresent()) {
      undefined(base.get(), record);
    }
    begin(record);
    if (defined.isPresent()) {
      DescriptorChange.apply(admin, record.base(), now -> undefined(same(now, record), record));
      watch.accept("drop: no longer defined");
      regions.tell(admin, record.base());
    }
    tables.drop(record.table());
    watch.accept("drop: table gone");
    journal.end(record);
  }

  private static TableDescriptor undefined(TableDescriptor now, DdlRecord record)
      throws IOException {
    IndexDefinition index = record.index();
    Optional<IndexDefinition> defined = IndexSchema.of(now).index(index.name());
    if (defined.isEmpty()) {
      return now;
    }
    if (defined.get().incarnation() != index.incarnation()) {
      throw new DoNotRetryIOException(
          "table '"
              + record.base()
              + "' has another index '"
              + index.name()
              + "' by now: look at its indexes and try again");
    }
    return IndexSchema.withoutIndex(now, index.name());
  }

  /** The new definition is first: at no time is there none, and the old table is not believed. */
  private void rebuild(Admin admin, DdlRecord asked) throws IOException {
    TableDescriptor base = base(admin, asked.base());
    DdlRecord record = boundaries.settled(asked, base);
    IndexDefinition defined = checkRebuilt(base, record);
    if (!isMade(admin, base, record)) {
      begin(record);
      if (!defined.equals(record.index())) {
        DescriptorChange.apply(admin, record.base(), now -> renewed(same(now, record), record));
        watch.accept("rebuild: defined");
        regions.tell(admin, record.base());
      }
      tables.make(record, base(admin, record.base()));
      watch.accept("rebuild: table made");
    }
    regions.tell(admin, record.base());
    journal.end(record);
  }

  private static TableDescriptor renewed(TableDescriptor now, DdlRecord record) throws IOException {
    IndexDefinition defined = checkRebuilt(now, record);
    return IndexSchema.withIndex(IndexSchema.withoutIndex(now, defined.name()), record.index());
  }

  private static IndexDefinition checkRebuilt(TableDescriptor base, DdlRecord record)
      throws IOException {
    IndexDefinition wanted = record.index();
    IndexDefinition defined =
        IndexSchema.of(base)
            .globals()
            .index(wanted.name())
            .orElseThrow(
                () ->
                    new DoNotRetryIOException(
                        "table '"
                            + record.base()
                            + "' has no global index '"
                            + wanted.name()
                            + "'"));
    if (!defined.column().equals(wanted.column()) || defined.type() != wanted.type()) {
      throw new DoNotRetryIOException(
          "table '"
              + record.base()
              + "' has an index '"
              + wanted.name()
              + "' of another column or type by now: look at its indexes and try again");
    }
    IndexTable.checkName(record.base(), wanted.name());
    IndexTable.descriptor(base, wanted);
    return defined;
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

  private static Optional<TableDescriptor> existing(Admin admin, TableName table)
      throws IOException {
    try {
      return Optional.of(base(admin, table));
    } catch (TableNotFoundException e) {
      LOG.debug("There is no table {}", table, e);
      return Optional.empty();
    }
  }

  /** Whether all has been done. */
  private boolean isMade(Admin admin, TableDescriptor base, DdlRecord record) throws IOException {
    TableName name = record.table();
    return isDefined(base, record)
        && admin.tableExists(name)
        && IndexTable.holds(admin.getDescriptor(name), record.index())
        && admin.isTableEnabled(name)
        && tables.isBegun(name);
  }

  /**
   * Takes back what cannot be ended: a table that no definition names is of no use. A master that
   * stops finds many things impossible, and never comes here; the next one looks for itself.
   */
  private DoNotRetryIOException givenUp(DdlRecord record, DoNotRetryIOException why)
      throws IOException {
    if (!journal.isOpen(record)) {
      return why;
    }
    LOG.warn("{} cannot be done", record, why);
    try (Admin admin = connection.get().getAdmin()) {
      boolean defined =
          existing(admin, record.base()).filter(b -> isDefined(b, record)).isPresent();
      if (!defined && record.kind() != DdlRecord.Kind.DROP) {
        tables.dropIfHolds(record.table(), record.index());
      }
      journal.end(record);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
    return why;
  }
}
