package io.spyhop.server.index.global.repair;

import io.spyhop.server.seal.TableSeal;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;

/** Directories of repair lists of tables that no cluster has. */
final class SealedDirectory {
  private SealedDirectory() {}

  /** Of a table whose families are not encrypted. */
  static RepairDirectory plain(FileSystem fs, Path table) {
    TableSeal none = new TableSeal(keys("hbase"), ColumnFamilyDescriptorBuilder::of);
    return new RepairDirectory(fs, table, none);
  }

  /**
   * Of a table whose families are all encrypted.
   *
   * @param master the name of the master key
   */
  static RepairDirectory sealed(FileSystem fs, Path table, String master) {
    TableSeal seal =
        new TableSeal(
            keys(master),
            f -> ColumnFamilyDescriptorBuilder.newBuilder(f).setEncryptionType("AES").build());
    return new RepairDirectory(fs, table, seal);
  }

  private static Configuration keys(String master) {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName());
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, master);
    return conf;
  }
}
