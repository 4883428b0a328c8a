package io.spyhop.bench.deli;

import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes rows of the tables: the row key is a number as eight bytes, family {@code f} has the
 * indexed value {@code v}, a long, and a payload {@code p} of 100 bytes. Stateless.
 */
final class DeliTable {
  /** The only family; it has HBase's defaults, one version among them. */
  static final byte[] FAMILY = Bytes.toBytes("f");

  /** The name of the indexed column. */
  static final String INDEXED = "v";

  /** The indexed column. */
  static final byte[] VALUE = Bytes.toBytes(INDEXED);

  /** The other column. */
  static final byte[] PAYLOAD = Bytes.toBytes("p");

  private static final int PAYLOAD_BYTES = 100;
  private static final int PAYLOADS = 64;
  private static final byte[][] PAYLOAD_TEXTS = payloads();

  private DeliTable() {}

  private static byte[][] payloads() {
    Random random = new Random(PAYLOADS);
    byte[][] payloads = new byte[PAYLOADS][PAYLOAD_BYTES];
    for (byte[] p : payloads) {
      random.nextBytes(p);
    }
    return payloads;
  }

  static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .build();
  }

  static byte[] row(long key) {
    return Bytes.toBytes(key);
  }

  /** An update; the server chooses the timestamp. */
  static Put put(int key, long value) {
    return new Put(row(key))
        .addColumn(FAMILY, VALUE, Bytes.toBytes(value))
        .addColumn(FAMILY, PAYLOAD, PAYLOAD_TEXTS[(int) (value & (PAYLOADS - 1))]);
  }
}
