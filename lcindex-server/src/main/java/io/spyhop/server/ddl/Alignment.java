package io.spyhop.server.ddl;

import io.spyhop.core.global.FamilyEncryption;
import io.spyhop.core.global.IndexTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Carries changes of the indexed family over to index tables: lifetimes and encryption. The rest is
 * the administrator's. Stateless.
 */
final class Alignment {
  private Alignment() {}

  /** The index table as it is to be once the base table has changed. */
  static TableDescriptor after(TableDescriptor table, ColumnFamilyDescriptor base) {
    ColumnFamilyDescriptor wanted = IndexTable.entries(base);
    return with(table, base, wanted.getTimeToLive(), wanted.getMinVersions());
  }

  /**
   * The index table as it is to be before the base table changes: entries live no shorter, and are
   * no less secret, than by either of the two.
   */
  static TableDescriptor before(TableDescriptor table, ColumnFamilyDescriptor base) {
    ColumnFamilyDescriptor current = table.getColumnFamily(IndexTable.ENTRIES);
    ColumnFamilyDescriptor wanted = IndexTable.entries(base);
    return with(
        table,
        FamilyEncryption.isOn(base) ? base : current,
        Math.max(wanted.getTimeToLive(), current.getTimeToLive()),
        Math.max(wanted.getMinVersions(), current.getMinVersions()));
  }

  private static TableDescriptor with(
      TableDescriptor table, ColumnFamilyDescriptor encryption, int timeToLive, int minVersions) {
    ColumnFamilyDescriptorBuilder entries =
        ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(IndexTable.ENTRIES))
            .setTimeToLive(timeToLive)
            .setMinVersions(minVersions);
    ColumnFamilyDescriptorBuilder control =
        ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(IndexTable.CONTROL));
    return TableDescriptorBuilder.newBuilder(table)
        .modifyColumnFamily(FamilyEncryption.copy(encryption, entries).build())
        .modifyColumnFamily(FamilyEncryption.copy(encryption, control).build())
        .build();
  }

  /** Whether two descriptors of an index table are the same in all that it takes over. */
  static boolean isSame(TableDescriptor a, TableDescriptor b) {
    ColumnFamilyDescriptor one = a.getColumnFamily(IndexTable.ENTRIES);
    ColumnFamilyDescriptor other = b.getColumnFamily(IndexTable.ENTRIES);
    return one.getTimeToLive() == other.getTimeToLive()
        && one.getMinVersions() == other.getMinVersions()
        && isEncryptedAlike(a, b)
        && IndexTable.hidesBoundaries(a) == IndexTable.hidesBoundaries(b)
        && IndexTable.isNeverSplit(a) == IndexTable.isNeverSplit(b);
  }

  /** Whether new files of two descriptors of an index table are encrypted alike. */
  private static boolean isEncryptedAlike(TableDescriptor a, TableDescriptor b) {
    return FamilyEncryption.isSame(
            a.getColumnFamily(IndexTable.ENTRIES), b.getColumnFamily(IndexTable.ENTRIES))
        && FamilyEncryption.isSame(
            a.getColumnFamily(IndexTable.CONTROL), b.getColumnFamily(IndexTable.CONTROL));
  }
}
