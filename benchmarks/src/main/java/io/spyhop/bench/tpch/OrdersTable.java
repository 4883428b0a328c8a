package io.spyhop.bench.tpch;

import io.spyhop.bench.Tables;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.Order;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes rows of orders: the key is the order key as eight bytes, big-endian; family {@code d} has
 * the other eight columns.
 */
public final class OrdersTable {
  /** The only family. */
  public static final byte[] FAMILY = Bytes.toBytes("d");

  /** A long. */
  public static final byte[] CUSTKEY = Bytes.toBytes("custkey");

  /** One letter. */
  public static final byte[] ORDERSTATUS = Bytes.toBytes("orderstatus");

  /** A double, in whole cents. */
  public static final byte[] TOTALPRICE = Bytes.toBytes("totalprice");

  /** ISO text. */
  public static final byte[] ORDERDATE = Bytes.toBytes("orderdate");

  /** Text. */
  public static final byte[] ORDERPRIORITY = Bytes.toBytes("orderpriority");

  /** Text. */
  public static final byte[] CLERK = Bytes.toBytes("clerk");

  /** An int. */
  public static final byte[] SHIPPRIORITY = Bytes.toBytes("shippriority");

  /** Text. */
  public static final byte[] COMMENT = Bytes.toBytes("comment");

  /** TPC-H uses the first 8 of every 32 order keys. */
  private static final long KEYS_PER_ROW = 4;

  /** Larger than any memstore; four times of it fit into a long. */
  private static final long NEVER_FLUSHED = 1L << 50;

  private OrdersTable() {}

  /** A table without indexes, with HBase's defaults. */
  public static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .build();
  }

  /**
   * The same, but nothing is flushed, compacted or split unless a client asks for it, or memory is
   * short.
   */
  public static TableDescriptor keptDescriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(descriptor(name))
        .setCompactionEnabled(false)
        .setMemStoreFlushSize(NEVER_FLUSHED)
        .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
        .build();
  }

  /** The same as the first, with a family that is encoded and compressed. */
  public static TableDescriptor encodedDescriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                .setCompressionType(Compression.Algorithm.SNAPPY)
                .build())
        .build();
  }

  /** The same in another layout. */
  public static List<IndexDefinition> indexes(Layout layout) {
    return indexes().stream().map(i -> i.toBuilder().layout(layout).build()).toList();
  }

  /** The three indexes of the LCIndex paper's evaluation. */
  public static List<IndexDefinition> indexes() {
    return List.of(
        IndexDefinition.builder("totalprice")
            .column("d:totalprice")
            .type(ValueType.DOUBLE)
            .range(0.0, 600_000.0)
            .flags(100)
            .build(),
        IndexDefinition.builder("orderdate").column("d:orderdate").type(ValueType.DATE).build(),
        IndexDefinition.builder("orderpriority")
            .column("d:orderpriority")
            .type(ValueType.STRING)
            .build());
  }

  /**
   * Where to split so that each region gets as many rows.
   *
   * @return regions - 1 keys, empty for one region
   */
  public static byte[][] splits(long rows, int regions) {
    if (regions < 1 || regions > rows) {
      throw new IllegalArgumentException("regions=" + regions + " is not in 1.." + rows);
    }
    return Tables.splits(KEYS_PER_ROW * rows, regions, OrdersTable::key);
  }

  /** The row key of an order. */
  public static byte[] key(long orderKey) {
    return Bytes.toBytes(orderKey);
  }

  /** The whole order at a timestamp. */
  public static Put put(Order order, long timestamp) {
    return new Put(key(order.getOrderKey()), timestamp)
        .addColumn(FAMILY, CUSTKEY, Bytes.toBytes(order.getCustomerKey()))
        .addColumn(FAMILY, ORDERSTATUS, Bytes.toBytes(String.valueOf(order.getOrderStatus())))
        .addColumn(FAMILY, TOTALPRICE, Bytes.toBytes(order.getTotalPrice()))
        .addColumn(FAMILY, ORDERDATE, Bytes.toBytes(date(order)))
        .addColumn(FAMILY, ORDERPRIORITY, Bytes.toBytes(order.getOrderPriority()))
        .addColumn(FAMILY, CLERK, Bytes.toBytes(order.getClerk()))
        .addColumn(FAMILY, SHIPPRIORITY, Bytes.toBytes(order.getShipPriority()))
        .addColumn(FAMILY, COMMENT, Bytes.toBytes(order.getComment()));
  }

  /** The indexed columns of the order at a timestamp. */
  public static Put narrowPut(Order order, long timestamp) {
    return new Put(key(order.getOrderKey()), timestamp)
        .addColumn(FAMILY, TOTALPRICE, Bytes.toBytes(order.getTotalPrice()))
        .addColumn(FAMILY, ORDERDATE, Bytes.toBytes(date(order)))
        .addColumn(FAMILY, ORDERPRIORITY, Bytes.toBytes(order.getOrderPriority()));
  }

  /** The order's date, {@code yyyy-MM-dd}. */
  public static String date(Order order) {
    return GenerateUtils.formatDate(order.getOrderDate());
  }
}
