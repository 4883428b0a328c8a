package io.spyhop.core.global;

import io.spyhop.core.schema.Boundaries;
import io.spyhop.core.schema.GlobalOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Name and descriptor of the table that holds a global index (docs/formats/index-table.md).
 * Stateless.
 */
public final class IndexTable {
  /** The family of the entries. */
  public static final byte[] ENTRIES = Bytes.toBytes("e");

  /**
   * The qualifier of the entries. It must not be empty: HBase 2.6.1's NewVersionBehaviorTracker
   * fails with a NullPointerException in a row that has a put and an older delete of the empty
   * qualifier.
   */
  public static final byte[] QUALIFIER = Bytes.toBytes("e");

  /** The family of what is noted about the index itself; its rows start with 0x00. */
  public static final byte[] CONTROL = Bytes.toBytes("c");

  /** The descriptor's value that names the base table. */
  public static final String BASE = "spyhop.base";

  /** The descriptor's value that holds the definition's incarnation, hexadecimal. */
  public static final String INCARNATION = "spyhop.incarnation";

  /** The descriptor's value that names the indexed column. */
  public static final String COLUMN = "spyhop.column";

  /**
   * The descriptor's value that names the type of the column; tables of versions before lack it.
   */
  public static final String TYPE = "spyhop.type";

  /** The descriptor's value that says that no region begins at an entry: {@code none}. */
  public static final String BOUNDARIES = "spyhop.boundaries";

  /** Entries live that much longer than the cells they point at, in seconds. */
  public static final int EXTRA_TTL = 3_600;

  /** Bytes of a table's name without its namespace: of a part of a path in HDFS and others. */
  private static final int MAX_NAME = 255;

  private static final String PREFIX = "_spyhop.";
  private static final String NONE = "none";

  /** HBase's, of servers alone: regions are not split by themselves. */
  private static final String NO_SPLITS =
      "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";

  /** HBase's, of servers alone: whether a memstore copies cells into chunks. */
  private static final String MEMSTORE_CHUNKS = "hbase.hregion.memstore.mslab.enabled";

  private IndexTable() {}

  /** The index table's name: reserved, in the base table's namespace. */
  public static TableName nameOf(TableName base, String index) {
    return TableName.valueOf(
        base.getNamespaceAsString(), PREFIX + base.getQualifierAsString() + "." + index);
  }

  /**
   * Checks that an index's table can have a name: it is a directory's, too.
   *
   * @throws InvalidIndexException if the name is too long
   */
  public static void checkName(TableName base, String index) {
    int length = nameOf(base, index).getQualifier().length;
    if (length > MAX_NAME) {
      throw new InvalidIndexException(
          "index '"
              + index
              + "' of table '"
              + base
              + "': the name of its table would have "
              + length
              + " bytes, and file systems hold "
              + MAX_NAME
              + ": take a name for the index that is "
              + (length - MAX_NAME)
              + " bytes shorter");
    }
  }

  /** The name of the index whose table has that name. */
  public static String indexOf(TableName table) {
    String name = table.getQualifierAsString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Whether tables of that name are index tables, and no others. */
  public static boolean isReserved(TableName table) {
    return table.getQualifierAsString().startsWith(PREFIX);
  }

  /** The base table that an index table's descriptor names. */
  public static Optional<TableName> baseOf(TableDescriptor index) {
    return Optional.ofNullable(index.getValue(BASE)).map(TableName::valueOf);
  }

  /** Whether the table holds that index, in this incarnation. */
  public static boolean holds(TableDescriptor index, IndexDefinition definition) {
    return Long.toHexString(definition.incarnation()).equals(index.getValue(INCARNATION));
  }

  /**
   * Whether the table's entries are of the definition's column and type, and its boundaries as
   * hidden, by what the table says of itself: definitions that were taken away may come back as
   * others.
   */
  public static boolean isAlike(TableDescriptor index, IndexDefinition definition) {
    return definition.column().toString().equals(index.getValue(COLUMN))
        && definition.type().name().equals(index.getValue(TYPE))
        && (!hidesBoundaries(definition) || hidesBoundaries(index));
  }

  /**
   * The descriptor of an index's table.
   *
   * @throws InvalidIndexException if the base table lacks the indexed family
   */
  public static TableDescriptor descriptor(TableDescriptor base, IndexDefinition definition) {
    ColumnFamilyDescriptor family = base.getColumnFamily(definition.column().family());
    if (family == null) {
      throw new InvalidIndexException(
          "table '"
              + base.getTableName()
              + "' has no column family '"
              + Bytes.toStringBinary(definition.column().family())
              + "'");
    }
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(nameOf(base.getTableName(), definition.name()))
            .setColumnFamily(entries(family))
            .setColumnFamily(control(family))
            .setDurability(Durability.SYNC_WAL)
            .setValue(BASE, base.getTableName().getNameAsString())
            .setValue(COLUMN, definition.column().toString())
            .setValue(TYPE, definition.type().name())
            .setValue(INCARNATION, Long.toHexString(definition.incarnation()))
            .build();
    return mustHideBoundaries(base, definition) ? hidingBoundaries(table) : table;
  }

  /**
   * Whether the boundaries of the index table's regions, which everybody may read, must tell
   * nothing, as far as the base table and the definition say: the definition wants it, or the
   * family is encrypted. They must not either where visibility labels are used.
   */
  public static boolean mustHideBoundaries(TableDescriptor base, IndexDefinition definition) {
    ColumnFamilyDescriptor family = base.getColumnFamily(definition.column().family());
    return hidesBoundaries(definition) || (family != null && FamilyEncryption.isOn(family));
  }

  private static boolean hidesBoundaries(IndexDefinition definition) {
    return definition.options() instanceof GlobalOptions global
        && global.boundaries() == Boundaries.NONE;
  }

  /** Whether no region of an index table is to begin at an entry from now on. */
  public static boolean hidesBoundaries(TableDescriptor index) {
    return NONE.equals(index.getValue(BOUNDARIES));
  }

  /** Whether nothing splits the regions of an index table. */
  public static boolean isNeverSplit(TableDescriptor index) {
    return !index.isSplitEnabled() && NO_SPLITS.equals(index.getRegionSplitPolicyClassName());
  }

  /** An index table of which no region is to begin at an entry; those that do stay. */
  public static TableDescriptor hidingBoundaries(TableDescriptor index) {
    return TableDescriptorBuilder.newBuilder(index)
        .setValue(BOUNDARIES, NONE)
        .setSplitEnabled(false)
        .setNormalizationEnabled(false)
        .setRegionSplitPolicyClassName(NO_SPLITS)
        .build();
  }

  /** The entries' family for a family of the base table; follows its lifetime and encryption. */
  public static ColumnFamilyDescriptor entries(ColumnFamilyDescriptor base) {
    ColumnFamilyDescriptorBuilder entries =
        ColumnFamilyDescriptorBuilder.newBuilder(ENTRIES)
            .setMaxVersions(Integer.MAX_VALUE)
            .setTimeToLive(timeToLive(base))
            .setNewVersionBehavior(true)
            .setKeepDeletedCells(KeepDeletedCells.FALSE)
            .setBloomFilterType(BloomType.ROW)
            .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
            .setCompressionType(base.getCompressionType())
            .setScope(HConstants.REPLICATION_SCOPE_LOCAL);
    return FamilyEncryption.copy(base, entries).build();
  }

  /**
   * The family of the notes, which hold row keys and values. They are few, and are written whenever
   * a region of the base table opens: a memstore's first chunk would take 2 MB for them.
   */
  private static ColumnFamilyDescriptor control(ColumnFamilyDescriptor base) {
    return FamilyEncryption.copy(base, ColumnFamilyDescriptorBuilder.newBuilder(CONTROL))
        .setConfiguration(MEMSTORE_CHUNKS, String.valueOf(false))
        .build();
  }

  /**
   * Which expired cells MIN_VERSIONS keeps is not to be told from entries: newer ones of the same
   * row may point at nothing, or the newer versions have other values. They are repaired away.
   */
  private static int timeToLive(ColumnFamilyDescriptor base) {
    boolean forEver =
        base.getMinVersions() > 0 || base.getTimeToLive() >= HConstants.FOREVER - EXTRA_TTL;
    return forEver ? HConstants.FOREVER : base.getTimeToLive() + EXTRA_TTL;
  }
}
