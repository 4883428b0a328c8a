package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.global.Lifetimes;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets index tables follow what happens to their base table. Thread-safe.
 *
 * <p>Called by HBase's procedures, which have the base table locked, in their threads, and again by
 * the next master if this one dies: everything may be done twice. Where the base table is refused
 * the change all the same, its indexes are not built for a while, and then built again.
 */
public final class BaseTableLife {
  private static final Logger LOG = LoggerFactory.getLogger(BaseTableLife.class);

  /** How long after a failure it is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(15);

  /** Each try may hold one of the master's handlers for as long as the table cannot be changed. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(16);

  private final MasterServices master;
  private final MasterAccess access;
  private final IndexTables tables;
  private final DdlJournal journal;
  private final TableTaskQueues lanes;
  private final IoConsumer<String> watch;

  BaseTableLife(
      MasterServices master,
      MasterAccess access,
      IndexTables tables,
      DdlJournal journal,
      TableTaskQueues lanes,
      IoConsumer<String> watch) {
    this.master = master;
    this.access = access;
    this.tables = tables;
    this.journal = journal;
    this.lanes = lanes;
    this.watch = watch;
  }

  /**
   * A table is about to come: what is left of an earlier one's indexes goes first, what was begun
   * for that one ends, and what the new one's descriptor claims for its own is built again.
   */
  public void beforeBirth(TableDescriptor table) throws IOException {
    TableName base = table.getTableName();
    if (!IndexTable.isReserved(base) && master.getTableDescriptors().get(base) == null) {
      journal.end(base);
      IndexSchema schema = IndexSchema.of(table).globals();
      each(base, "prepare the index tables of an earlier table", i -> adopt(i, table, schema));
    }
  }

  private void adopt(TableDescriptor index, TableDescriptor base, IndexSchema schema)
      throws IOException {
    if (schema.indexes().stream().anyMatch(d -> isOf(index, base.getTableName(), d))) {
      prepare(index, base, schema);
    } else {
      drop(index);
    }
  }

  private static boolean isOf(TableDescriptor index, TableName base, IndexDefinition definition) {
    return index.getTableName().equals(IndexTable.nameOf(base, definition.name()))
        && IndexTable.holds(index, definition)
        && IndexTable.isAlike(index, definition);
  }

  /** A table has been deleted. What cannot be dropped now is tried again, here or at a start. */
  public void afterDeath(TableName base) throws IOException {
    if (IndexTable.isReserved(base) || master.getTableDescriptors().get(base) != null) {
      return;
    }
    try {
      journal.end(base);
      each(base, "drop the index tables", this::drop);
    } catch (IOException e) {
      lanes.later(base, "drop the index tables of " + base, PAUSE, () -> afterDeath(base));
    }
  }

  private void drop(TableDescriptor index) throws IOException {
    tables.drop(index.getTableName());
  }

  /**
   * A table is about to be emptied. The index tables are first: when the base table takes writes
   * again, their entries must stay.
   */
  public void beforeTruncate(TableName base) throws IOException {
    each(base, "truncate the index tables", i -> tables.truncate(i.getTableName()));
  }

  /**
   * A table's cells are about to be replaced by those of a snapshot. Coprocessors of the master are
   * asked in the order of the configuration, this one possibly before the one that checks access;
   * so nothing is done before who asks is found to have the right to change the base table.
   */
  public void beforeRestore(Optional<User> caller, TableDescriptor snapshot) throws IOException {
    TableName base = snapshot.getTableName();
    if (!indexTablesOf(base).isEmpty()) {
      access.requireChange(caller, base, "restore");
      IndexSchema schema = IndexSchema.of(snapshot).globals();
      each(base, "un-build the index tables", i -> prepare(i, snapshot, schema));
    }
  }

  private void prepare(TableDescriptor index, TableDescriptor base, IndexSchema schema)
      throws IOException {
    for (IndexDefinition d : schema.indexes()) {
      if (IndexTable.holds(index, d) && base.hasColumnFamily(d.column().family())) {
        tables.align(index, base, d, false);
      }
    }
    tables.unbuild(index.getTableName());
  }

  /**
   * A region of a table has been emptied. For an index table that is refused; where it happens all
   * the same, by a procedure that another master has begun, entries are missing.
   */
  public void afterTruncate(RegionInfo region) throws IOException {
    TableName table = region.getTable();
    try {
      if (IndexTable.isReserved(table)) {
        if (master.getTableDescriptors().get(table) != null) {
          tables.unbuild(table);
        }
      } else {
        each(table, "doubt the index tables", i -> tables.doubt(i.getTableName(), region));
      }
    } catch (IOException e) {
      LOG.warn("{} has been truncated, and its index cannot be told yet", region, e);
      lanes.later(table, "truncated " + region, PAUSE, () -> afterTruncate(region));
    }
  }

  /**
   * A table is about to be changed. Where it will show cells that it does not show now, or has an
   * index that it does not have now, or not kept in this way, their entries may be missing: such
   * indexes are not believed from now on, and built again. Nor are those that go.
   */
  public void beforeChange(TableDescriptor current, TableDescriptor changed) throws IOException {
    IndexSchema affected = revived(current, changed);
    IndexSchema comes = added(current, changed);
    IndexSchema goes = added(changed, current);
    if (affected.isEmpty() && comes.isEmpty() && goes.isEmpty()) {
      return;
    }
    each(
        current.getTableName(),
        "un-build the index tables",
        i -> {
          if (isAny(affected, i)) {
            prepare(i, changed, affected);
          } else if (isAny(comes, i)) {
            if (tables.isUsed(i.getTableName())) {
              prepare(i, changed, comes);
            }
          } else if (isAny(goes, i)) {
            leave(i);
          }
        });
  }

  private static boolean isAny(IndexSchema schema, TableDescriptor index) {
    return schema.indexes().stream().anyMatch(d -> IndexTable.holds(index, d));
  }

  /** The global indexes of a table that are none of its former self's, or kept otherwise there. */
  private static IndexSchema added(TableDescriptor former, TableDescriptor table) {
    List<IndexDefinition> before = IndexSchema.of(former).globals().indexes();
    return IndexSchema.of(
        IndexSchema.of(table).globals().indexes().stream()
            .filter(d -> before.stream().noneMatch(b -> isSame(b, d)))
            .toList());
  }

  private static boolean isSame(IndexDefinition a, IndexDefinition b) {
    return a.incarnation() == b.incarnation()
        && a.global().maintenance() == b.global().maintenance();
  }

  /** Each region sees to it, too. A table that cannot be reached is not read, either. */
  private void leave(TableDescriptor index) {
    try {
      tables.unbuildIfServed(index.getTableName());
    } catch (IOException e) {
      LOG.warn("{} cannot be told that it is no longer kept", index.getTableName(), e);
    }
  }

  private static IndexSchema revived(TableDescriptor current, TableDescriptor changed) {
    List<IndexDefinition> affected = new ArrayList<>();
    for (IndexDefinition d : IndexSchema.of(changed).globals().indexes()) {
      ColumnFamilyDescriptor old = current.getColumnFamily(d.column().family());
      ColumnFamilyDescriptor now = changed.getColumnFamily(d.column().family());
      if (old != null && now != null && Lifetimes.revives(old, now)) {
        affected.add(d);
      }
    }
    return IndexSchema.of(affected);
  }

  /**
   * A table's descriptor has been changed, its regions are reopened next. What they have built
   * since {@link #beforeChange} was built in their old way. Entries need not live longer than the
   * table's cells.
   */
  public void afterChange(TableDescriptor old, TableDescriptor base) throws IOException {
    for (IndexDefinition d : revived(old, base).indexes()) {
      tables.unbuildIfServed(IndexTable.nameOf(base.getTableName(), d.name()));
    }
    watch.accept("after: change");
    align(base, true);
  }

  /**
   * A master starts: index tables follow what an earlier one did not come to, and what has changed
   * with this version or its configuration. An earlier one may have been about to change a base
   * table: entries live no shorter for that. Returns at once.
   */
  void alignAll() throws IOException {
    for (TableDescriptor base : master.getTableDescriptors().getAll().values()) {
      try {
        alignIfBehind(base);
      } catch (IOException | RuntimeException e) {
        LOG.error(
            "Index tables of {} do not follow it until it is changed or a master starts",
            base.getTableName(),
            e);
      }
    }
  }

  private void alignIfBehind(TableDescriptor base) throws IOException {
    for (IndexDefinition d : IndexSchema.of(base).globals().indexes()) {
      TableDescriptor index =
          master.getTableDescriptors().get(IndexTable.nameOf(base.getTableName(), d.name()));
      if (follows(index, base, d) && !tables.isAligned(index, base, d, false)) {
        String family = nameOf(base.getColumnFamily(d.column().family()));
        alignLater(base.getTableName(), d, false, Duration.ZERO, family);
      }
    }
  }

  private void align(TableDescriptor base, boolean changed) throws IOException {
    for (IndexDefinition d : IndexSchema.of(base).globals().indexes()) {
      ColumnFamilyDescriptor family = base.getColumnFamily(d.column().family());
      if (family != null) {
        alignLater(base.getTableName(), d, changed, Duration.ZERO, nameOf(family));
      }
    }
  }

  /** What changes of a family count for its index tables. */
  private static String nameOf(ColumnFamilyDescriptor family) {
    return "TTL %d, MIN_VERSIONS %d, ENCRYPTION %s (key %x)"
        .formatted(
            family.getTimeToLive(),
            family.getMinVersions(),
            family.getEncryptionType(),
            Arrays.hashCode(family.getEncryptionKey()));
  }

  private void alignLater(
      TableName base, IndexDefinition index, boolean changed, Duration pause, String family)
      throws IOException {
    TableName name = IndexTable.nameOf(base, index.name());
    String what =
        "aligning index table %s %s %s"
            .formatted(name, changed ? "to" : "at a start of the master to", family);
    lanes.later(
        base,
        what,
        pause,
        () -> {
          try {
            align(name, index, base, changed);
          } catch (DoNotRetryIOException e) {
            throw e;
          } catch (IOException e) {
            LOG.warn("{} is to be tried again", what, e);
            Duration next = pause.isZero() ? PAUSE : pause.multipliedBy(2);
            if (next.compareTo(LONGEST_PAUSE) > 0) {
              LOG.error(
                  "{} is given up until the table is changed or a master starts: see what hinders"
                      + " changes of {}",
                  what,
                  name);
              return;
            }
            alignLater(base, index, changed, next, family);
          }
        });
  }

  /** What the base table is like by now counts: changes may overtake each other. */
  private void align(TableName name, IndexDefinition definition, TableName base, boolean changed)
      throws IOException {
    TableDescriptor index = master.getTableDescriptors().get(name);
    TableDescriptor now = master.getTableDescriptors().get(base);
    if (follows(index, now, definition)) {
      tables.align(index, now, definition, changed);
    }
  }

  /** Whether both are there, and the one is an index of the other. */
  private static boolean follows(
      TableDescriptor index, TableDescriptor base, IndexDefinition definition) {
    return index != null
        && base != null
        && base.hasColumnFamily(definition.column().family())
        && IndexTable.holds(index, definition);
  }

  private void each(TableName base, String what, IoConsumer<TableDescriptor> step)
      throws IOException {
    List<TableDescriptor> all = indexTablesOf(base);
    if (all.isEmpty()) {
      return;
    }
    List<TableName> names = all.stream().map(TableDescriptor::getTableName).toList();
    try {
      watch.accept("before: " + what);
      for (TableDescriptor index : all) {
        if (isStillThere(index)) {
          step.accept(index);
        }
      }
      watch.accept("after: " + what);
    } catch (IOException e) {
      LOG.warn("Could not {} {} of table {}", what, names, base, e);
      throw new DoNotRetryIOException(
          "table '" + base + "': could not " + what + " " + names + ": " + e.getMessage(), e);
    }
  }

  /** A user may have dropped it meanwhile, and created another one. */
  private boolean isStillThere(TableDescriptor index) throws IOException {
    TableDescriptor now = master.getTableDescriptors().get(index.getTableName());
    return now != null
        && String.valueOf(now.getValue(IndexTable.INCARNATION))
            .equals(index.getValue(IndexTable.INCARNATION));
  }

  private List<TableDescriptor> indexTablesOf(TableName base) throws IOException {
    return master.getTableDescriptors().getAll().values().stream()
        .filter(t -> IndexTable.isReserved(t.getTableName()))
        .filter(t -> IndexTable.baseOf(t).filter(base::equals).isPresent())
        .toList();
  }
}
