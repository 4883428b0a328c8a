package io.spyhop.server.ddl;

import io.spyhop.core.global.FamilyEncryption;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The properties of a global index's table that nobody may change: without them entries go, or are
 * not found, and queries through the index lack rows. Nor may it cease to take writes: its base
 * table would, too. The rest (compression, block sizes, splits) is the administrator's. Stateless.
 */
final class IndexTableRules {
  private static final Logger LOG = LoggerFactory.getLogger(IndexTableRules.class);

  private static final List<String> NAMES =
      List.of(IndexTable.BASE, IndexTable.COLUMN, IndexTable.INCARNATION);

  private IndexTableRules() {}

  /**
   * Checks a change of an index table, of any user.
   *
   * @param base the descriptor of its base table, or null if that is gone
   */
  static void check(TableDescriptor current, TableDescriptor changed, TableDescriptor base)
      throws IOException {
    for (String name : NAMES) {
      require(
          Objects.equals(current.getValue(name), changed.getValue(name)), changed, "value " + name);
    }
    require(current.getDurability() == changed.getDurability(), changed, "durability");
    require(current.isReadOnly() || !changed.isReadOnly(), changed, "READONLY");
    checkBoundaries(current, changed);
    Optional<ColumnFamilyDescriptor> indexed =
        Optional.ofNullable(base).flatMap(b -> indexedFamily(b, current));
    boolean mayBePlain = indexed.isPresent() && !FamilyEncryption.isOn(indexed.get());
    int control = current.getColumnFamily(IndexTable.CONTROL).getTimeToLive();
    int entries = indexed.map(f -> IndexTable.entries(f).getTimeToLive()).orElse(0);
    checkFamily(current, changed, IndexTable.CONTROL, new Needed(control, mayBePlain));
    checkFamily(current, changed, IndexTable.ENTRIES, new Needed(entries, mayBePlain));
  }

  /**
   * The needs of a family.
   *
   * @param timeToLive how many seconds its cells have to live at least
   * @param mayBePlain whether it may cease to be encrypted
   */
  private record Needed(int timeToLive, boolean mayBePlain) {}

  /** Once no region is to begin at an entry, none does: until the index is rebuilt. */
  private static void checkBoundaries(TableDescriptor current, TableDescriptor changed)
      throws IOException {
    if (IndexTable.hidesBoundaries(current)) {
      require(IndexTable.hidesBoundaries(changed), changed, "value " + IndexTable.BOUNDARIES);
    }
    if (IndexTable.hidesBoundaries(changed)) {
      require(
          IndexTable.isNeverSplit(changed),
          changed,
          "SPLIT_ENABLED and SPLIT_POLICY, as boundaries of regions would show values,");
    }
  }

  /** Of the indexed column, if the index table names one. */
  private static Optional<ColumnFamilyDescriptor> indexedFamily(
      TableDescriptor base, TableDescriptor index) {
    try {
      ColumnName column = ColumnName.parse(String.valueOf(index.getValue(IndexTable.COLUMN)));
      return Optional.ofNullable(base.getColumnFamily(column.family()));
    } catch (IllegalArgumentException e) {
      LOG.warn("'{}' names no column", index.getTableName(), e);
      return Optional.empty();
    }
  }

  private static void checkFamily(
      TableDescriptor current, TableDescriptor changed, byte[] name, Needed needed)
      throws IOException {
    ColumnFamilyDescriptor before = current.getColumnFamily(name);
    ColumnFamilyDescriptor after = changed.getColumnFamily(name);
    String family = "family '" + Bytes.toStringBinary(name) + "'";
    require(after != null, changed, family);
    String of = " of " + family;
    require(after.getTimeToLive() >= needed.timeToLive(), changed, "TTL" + of);
    require(before.getMaxVersions() == after.getMaxVersions(), changed, "VERSIONS" + of);
    require(
        before.getKeepDeletedCells() == after.getKeepDeletedCells(),
        changed,
        "KEEP_DELETED_CELLS" + of);
    require(
        before.isNewVersionBehavior() == after.isNewVersionBehavior(),
        changed,
        "NEW_VERSION_BEHAVIOR" + of);
    require(
        FamilyEncryption.isOn(after) || !FamilyEncryption.isOn(before) || needed.mayBePlain(),
        changed,
        "ENCRYPTION" + of);
  }

  private static void require(boolean kept, TableDescriptor table, String what)
      throws DoNotRetryIOException {
    if (!kept) {
      TableName name = table.getTableName();
      throw new DoNotRetryIOException(
          "table '"
              + name
              + "' holds a global index, which needs its "
              + what
              + " as it is: drop the index, or rebuild it (spyhop index drop, spyhop index"
              + " rebuild)");
    }
  }
}
