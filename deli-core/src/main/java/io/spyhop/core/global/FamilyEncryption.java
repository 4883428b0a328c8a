package io.spyhop.core.global;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The encryption of a column family: its cipher, and its key if it has one of its own. Stateless.
 */
public final class FamilyEncryption {
  private static final List<byte[]> SETTINGS =
      List.of(
          Bytes.toBytes(ColumnFamilyDescriptorBuilder.ENCRYPTION),
          Bytes.toBytes(ColumnFamilyDescriptorBuilder.ENCRYPTION_KEY));

  private FamilyEncryption() {}

  /** Whether new files of the family are encrypted. */
  public static boolean isOn(ColumnFamilyDescriptor family) {
    return family.getEncryptionType() != null;
  }

  /** Whether new files of both are encrypted alike: not at all, or by the same cipher and key. */
  public static boolean isSame(ColumnFamilyDescriptor a, ColumnFamilyDescriptor b) {
    return SETTINGS.stream().allMatch(s -> Arrays.equals(a.getValue(s), b.getValue(s)));
  }

  /** Lets a family be encrypted as another one is, also not at all; returns the same builder. */
  public static ColumnFamilyDescriptorBuilder copy(
      ColumnFamilyDescriptor from, ColumnFamilyDescriptorBuilder to) {
    for (byte[] s : SETTINGS) {
      to.setValue(s, from.getValue(s));
    }
    return to;
  }
}
