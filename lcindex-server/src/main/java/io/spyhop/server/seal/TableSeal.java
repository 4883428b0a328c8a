package io.spyhop.server.seal;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Seals what is derived from the families of one table. Thread-safe. */
public final class TableSeal {
  private final Configuration conf;
  private final Function<byte[], ColumnFamilyDescriptor> families;

  /**
   * @param conf names the provider of the cluster's keys
   * @param families the table's families by name, null for others
   */
  public TableSeal(Configuration conf, Function<byte[], ColumnFamilyDescriptor> families) {
    this.conf = conf;
    this.families = families;
  }

  /**
   * The bytes as they may be written: as they are if the family is not encrypted.
   *
   * @throws IOException if they cannot be sealed, or the table has no such family
   */
  public byte[] seal(byte[] family, byte[] plain) throws IOException {
    ColumnFamilyDescriptor descriptor = families.apply(family);
    if (descriptor == null) {
      throw new IOException(
          "nobody can tell how secret cells of family '"
              + Bytes.toStringBinary(family)
              + "' are: the table has no such family");
    }
    return Sealed.seal(plain, conf, descriptor);
  }

  /**
   * The bytes that were sealed; what was written plain as it is.
   *
   * @throws CorruptFrameException if they are damaged
   * @throws IOException if they are whole and the key cannot be had or used: there may be one later
   */
  public byte[] open(byte[] bytes) throws IOException {
    try {
      return Sealed.open(bytes, conf);
    } catch (UndecryptableException e) {
      throw new IOException(
          "the key of an encrypted family cannot be used: look at hbase.crypto.keyprovider and"
              + " hbase.crypto.master.key.name of this server",
          e);
    }
  }
}
