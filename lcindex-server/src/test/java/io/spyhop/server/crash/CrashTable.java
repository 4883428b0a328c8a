package io.spyhop.server.crash;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of six regions with three indexes, of rows {@code r0000} to {@code r2999}. */
final class CrashTable {
  static final TableName NAME = TableName.valueOf("crash");
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] PRICE = Bytes.toBytes("price");
  static final byte[] NAMED = Bytes.toBytes("name");
  static final byte[] AMOUNT = Bytes.toBytes("amount");
  static final byte[] PADDING = Bytes.toBytes("padding");
  static final int ROWS = 3_000;
  static final int REGIONS = 6;
  static final List<String> INDEXES = List.of("price", "name", "amount");

  private final ProcessCluster cluster;
  private final Spyhop spyhop;

  CrashTable(ProcessCluster cluster) throws IOException {
    this.cluster = cluster;
    this.spyhop = Spyhop.connect(cluster.connection());
    TableDescriptor d =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    d = IndexSchema.withIndex(d, index("price", ValueType.DOUBLE));
    d = IndexSchema.withIndex(d, index("name", ValueType.STRING));
    d = IndexSchema.withIndex(d, index("amount", ValueType.LONG));
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i * ROWS / REGIONS);
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(d, splits);
    }
  }

  private static IndexDefinition index(String column, ValueType type) {
    return IndexDefinition.builder(column).column("f:" + column).type(type).build();
  }

  static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%04d", i));
  }

  Spyhop spyhop() {
    return spyhop;
  }

  /** All cells of an answer along a path, without the padding's value. */
  List<String> cells(String where, String path) throws IOException {
    List<String> cells = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(NAME).query(Query.where(where).hint(path))) {
      for (Result r : cursor) {
        for (Cell c : r.rawCells()) {
          cells.add(c + "=" + Bytes.toStringBinary(CellUtil.cloneValue(c), 0, 8));
        }
      }
    }
    return cells;
  }

  /** Where the regions are. */
  List<HRegionLocation> locations() throws IOException {
    try (RegionLocator locator = cluster.connection().getRegionLocator(NAME)) {
      locator.clearRegionLocationCache();
      return locator.getAllRegionLocations();
    }
  }
}
