package io.spyhop.server.crash;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Layouts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of six regions with three indexes of one kind, of rows {@code r0000} to {@code r2999}.
 */
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

  private final CrashCluster cluster;
  private final IndexKind kind;
  private final Spyhop spyhop;

  CrashTable(CrashCluster cluster, IndexKind kind) throws IOException {
    this(cluster, kind, Optional.empty());
  }

  /**
   * The same, with buckets in place of the six regions.
   *
   * @param buckets of local indexes' tables
   */
  CrashTable(CrashCluster cluster, IndexKind kind, Optional<BucketOptions> buckets)
      throws IOException {
    this.cluster = cluster;
    this.kind = kind;
    this.spyhop = Spyhop.connect(cluster.connection());
    TableDescriptorBuilder d =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    if (kind == IndexKind.GLOBAL) {
      d.setCoprocessor(HaltingObserver.class.getName());
    }
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i * ROWS / REGIONS);
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      if (buckets.isPresent()) {
        spyhop.buckets().create(d.build(), buckets.get());
      } else {
        admin.createTable(d.build(), splits);
      }
      admin.balancerSwitch(false, true);
    }
    create("price", ValueType.DOUBLE, List.of(80.0, 160.0));
    create("name", ValueType.STRING, List.of("n2", "n3"));
    create("amount", ValueType.LONG, List.of(150L, 350L));
    spyhop.admin().waitUntilActive(NAME, Duration.ofMinutes(2));
  }

  private void create(String column, ValueType type, List<?> splits) throws IOException {
    IndexDefinition.Builder index =
        IndexDefinition.builder(column).kind(kind).column("f:" + column).type(type);
    if (kind == IndexKind.GLOBAL) {
      spyhop.admin().createIndex(NAME, index.build(), splits);
    } else {
      spyhop.admin().createIndex(NAME, index.layout(Layouts.usual()).build());
    }
  }

  static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%04d", i));
  }

  Spyhop spyhop() {
    return spyhop;
  }

  /** As users write to it; the caller closes it. */
  Table open() throws IOException {
    return spyhop.open(NAME);
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
    return locations(NAME);
  }

  /** Where the regions are, and those of index tables. */
  List<HRegionLocation> allLocations() throws IOException {
    List<HRegionLocation> all = new ArrayList<>(locations());
    if (kind == IndexKind.GLOBAL) {
      for (String index : INDEXES) {
        all.addAll(locations(IndexTable.nameOf(NAME, index)));
      }
    }
    return all;
  }

  private List<HRegionLocation> locations(TableName name) throws IOException {
    try (RegionLocator locator = cluster.connection().getRegionLocator(name)) {
      locator.clearRegionLocationCache();
      return locator.getAllRegionLocations();
    }
  }
}
