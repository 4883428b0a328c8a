package io.spyhop.core.schema;

import java.util.Optional;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/** The option of a column family by which its stores have sorted views. Stateless. */
public final class ViewOption {
  /** The value in the family's descriptor, {@code true} if there are to be views. */
  public static final String NAME = "SORTED_VIEW";

  private static final byte[] KEY = Bytes.toBytes(NAME);

  private ViewOption() {}

  /** Whether a family has the option, whether or not there can be views. */
  public static boolean isOn(ColumnFamilyDescriptor family) {
    byte[] value = family.getValue(KEY);
    return value != null && Boolean.parseBoolean(Bytes.toString(value));
  }

  /** Whether cells of HFiles with an encoding are read by their positions. */
  public static boolean isReadable(DataBlockEncoding encoding) {
    return encoding == DataBlockEncoding.NONE || encoding == DataBlockEncoding.ROW_INDEX_V1;
  }

  /** Why a family with the option has no views all the same; empty if it has. */
  public static Optional<String> refusal(ColumnFamilyDescriptor family) {
    if (family.isMobEnabled()) {
      return Optional.of("families with MOB have stores of their own kind");
    }
    DataBlockEncoding encoding = family.getDataBlockEncoding();
    return isReadable(encoding)
        ? Optional.empty()
        : Optional.of(
            "a sorted view reads cells by their positions, which DATA_BLOCK_ENCODING "
                + encoding
                + " does not allow; use ROW_INDEX_V1 or NONE");
  }

  /**
   * A family of a table.
   *
   * @throws InvalidIndexException if the table has no such family
   */
  public static ColumnFamilyDescriptor family(TableDescriptor table, String name) {
    ColumnFamilyDescriptor family = table.getColumnFamily(Bytes.toBytes(name));
    if (family == null) {
      throw new InvalidIndexException(
          "table '" + table.getTableName() + "' has no column family '" + name + "'");
    }
    return family;
  }

  /**
   * A family with the option, or without it.
   *
   * @throws InvalidIndexException if there can be no views of it
   */
  public static ColumnFamilyDescriptor with(TableDescriptor table, String name, boolean isOn) {
    ColumnFamilyDescriptor family = family(table, name);
    ColumnFamilyDescriptorBuilder changed = ColumnFamilyDescriptorBuilder.newBuilder(family);
    if (!isOn) {
      return changed.setValue(KEY, null).build();
    }
    refusal(family)
        .ifPresent(
            why -> {
              throw new InvalidIndexException(
                  "family '"
                      + name
                      + "' of table '"
                      + table.getTableName()
                      + "' can have no sorted view: "
                      + why);
            });
    return changed.setValue(NAME, Boolean.toString(true)).build();
  }
}
