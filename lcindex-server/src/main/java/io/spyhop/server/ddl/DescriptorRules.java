package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.GlobalOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.StaleDescriptorException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The table descriptors that are refused to everybody. Stateless. */
public final class DescriptorRules {
  private static final byte[] FIRST_ENTRY = {0x01};

  private DescriptorRules() {}

  /** Finds descriptors of tables. */
  public interface Tables {
    /** The table's descriptor, or null if there is no such table. */
    TableDescriptor get(TableName table) throws IOException;

    /** Whether an index's table is about to be made anew, after its definition. */
    default boolean isRebuilding(TableName base, IndexDefinition index) throws IOException {
      return false;
    }
  }

  /**
   * Checks a table to be created.
   *
   * @param system whether the servers' own user creates it
   */
  public static void checkNew(TableDescriptor table, boolean system) throws IOException {
    checkIndexes(table);
    boolean own = system && IndexTable.baseOf(table).isPresent();
    if (IndexTable.isReserved(table.getTableName()) && !own) {
      throw refused(
          table, "the name is reserved for tables of global indexes: take one without '_spyhop.'");
    }
  }

  /**
   * Checks where a region is to begin: what an index table notes about itself is believed only if
   * all of it is in the table's first region.
   *
   * @param row empty for the first region
   */
  public static void checkBoundary(TableName table, byte[] row) throws IOException {
    if (IndexTable.isReserved(table) && row.length > 0 && Bytes.compareTo(row, FIRST_ENTRY) < 0) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "' cannot be split at row "
              + Bytes.toStringBinary(row)
              + ": rows below \\x01 are notes about the index and stay together; split it at an"
              + " entry's row");
    }
  }

  /** Checks the definitions of a table. */
  public static void checkIndexes(TableDescriptor table) throws IOException {
    IndexSchema schema = IndexSchema.of(table);
    if (!schema.unreadable().isEmpty()) {
      throw refused(table, schema.unreadable().values().toString());
    }
    requireFitting(table);
    if (IndexTable.isReserved(table.getTableName()) && !schema.isEmpty()) {
      throw refused(table, "it holds a global index and cannot have indexes itself");
    }
    for (IndexDefinition index : schema.indexes()) {
      ColumnFamilyDescriptor family = table.getColumnFamily(index.column().family());
      if (family != null && family.isMobEnabled()) {
        throw refused(
            table,
            "index '"
                + index.name()
                + "' is on family '"
                + family.getNameAsString()
                + "', which stores MOBs; drop the index or disable MOB");
      }
    }
  }

  private static void requireFitting(TableDescriptor table) throws IOException {
    try {
      IndexSchema.requireFitting(table);
    } catch (InvalidIndexException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /**
   * Checks a changed descriptor. A global index is more than its definition: it comes and goes
   * through {@link GlobalIndexDdl} alone.
   *
   * @param current null if there is no such table
   * @param system whether the servers' own user, or another superuser, changes it
   */
  public static void checkChange(
      TableDescriptor current, TableDescriptor changed, boolean system, Tables tables)
      throws IOException {
    checkFamilies(current, changed);
    checkIndexes(changed);
    if (current != null && IndexTable.isReserved(changed.getTableName())) {
      Optional<TableName> base = IndexTable.baseOf(current);
      if (base.isPresent()) {
        IndexTableRules.check(current, changed, tables.get(base.get()));
      }
      return;
    }
    checkOneThing(current, changed);
    IndexSchema before = current == null ? IndexSchema.of(List.of()) : IndexSchema.of(current);
    IndexSchema after = IndexSchema.of(changed);
    for (IndexDefinition index : after.globals().indexes()) {
      if (!before.index(index.name()).equals(Optional.of(index))) {
        checkAdded(changed, before.index(index.name()), index, tables);
      }
    }
    for (IndexDefinition index : before.globals().indexes()) {
      if (!system && !after.index(index.name()).equals(Optional.of(index))) {
        throw refused(
            changed,
            "the change would remove or alter global index '"
                + index.name()
                + "' and leave its table behind: drop it with IndexAdmin.dropIndex");
      }
    }
  }

  /**
   * HBase replaces whole descriptors, even if another client changed them meanwhile. One that
   * changes definitions and something else was made of an old one: it would undo what came between,
   * be it a definition or a family with all its data.
   */
  private static void checkOneThing(TableDescriptor current, TableDescriptor changed)
      throws IOException {
    if (current != null
        && !IndexSchema.texts(current).equals(IndexSchema.texts(changed))
        && !IndexSchema.withoutIndexes(current).equals(IndexSchema.withoutIndexes(changed))) {
      throw new StaleDescriptorException(
          "table '"
              + changed.getTableName()
              + "' has been changed meanwhile, or its indexes and something else are changed at"
              + " once: read its descriptor again, and change the one and then the other");
    }
  }

  /** An index needs its family. */
  private static void checkFamilies(TableDescriptor current, TableDescriptor changed)
      throws IOException {
    for (IndexDefinition index : IndexSchema.of(changed).indexes()) {
      byte[] family = index.column().family();
      boolean had = current != null && current.hasColumnFamily(family);
      if (had && !changed.hasColumnFamily(family)) {
        throw refused(
            changed,
            "the change would remove family '"
                + Bytes.toStringBinary(family)
                + "', which index '"
                + index.name()
                + "' is on: drop the index before (spyhop index drop, or IndexAdmin.dropIndex)");
      }
    }
  }

  private static void checkAdded(
      TableDescriptor changed,
      Optional<IndexDefinition> before,
      IndexDefinition index,
      Tables tables)
      throws IOException {
    TableName name = IndexTable.nameOf(changed.getTableName(), index.name());
    TableDescriptor table = tables.get(name);
    boolean held = table != null && IndexTable.holds(table, index);
    if (!held && !tables.isRebuilding(changed.getTableName(), index)) {
      throw refused(
          changed,
          "global index '"
              + index.name()
              + "' has no table '"
              + name
              + "' of its incarnation: create it with IndexAdmin.createIndex");
    }
    boolean alike =
        before
            .filter(b -> b.incarnation() == index.incarnation())
            .map(
                b ->
                    b.column().equals(index.column())
                        && b.type() == index.type()
                        && b.options() instanceof GlobalOptions global
                        && global.boundaries() == index.global().boundaries())
            .orElseGet(() -> !held || IndexTable.isAlike(table, index));
    if (!alike) {
      throw refused(
          changed,
          "global index '"
              + index.name()
              + "' cannot change its column, type or boundaries, or get those back that its table"
              + " does not name: drop it and create another one");
    }
  }

  private static IOException refused(TableDescriptor table, String why) {
    return new DoNotRetryIOException("table '" + table.getTableName() + "': " + why);
  }
}
