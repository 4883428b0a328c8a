package io.spyhop.client.internal.admin;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses split points for the table of a global index: values that are spread like those at the
 * beginning of the base table's regions. Stateless.
 */
public final class SplitSampler {
  /** An index table has as many regions as its base table, but no more than these at first. */
  private static final int MAX_REGIONS = 32;

  private static final Logger LOG = LoggerFactory.getLogger(SplitSampler.class);
  private static final int MAX_SAMPLES = 1_000;
  private static final int MAX_SAMPLED_REGIONS = 100;

  private SplitSampler() {}

  /**
   * Split keys, ascending; none if the table has one region, or no values for the caller, or if
   * boundaries of regions must not show values.
   */
  public static List<byte[]> sample(
      Connection connection, TableDescriptor base, IndexDefinition index) throws IOException {
    if (IndexTable.mustHideBoundaries(base, index)) {
      return List.of();
    }
    TableName table = base.getTableName();
    List<HRegionLocation> regions = TableInfo.regions(connection, table);
    int parts = Math.min(MAX_REGIONS, regions.size());
    if (parts < 2) {
      return List.of();
    }
    try {
      return quantiles(keys(connection, table, index, regions), parts);
    } catch (AccessDeniedException e) {
      LOG.info("The table of index {} starts as one region: its values cannot be read", index, e);
      return List.of();
    }
  }

  /**
   * Split keys of values.
   *
   * @throws InvalidIndexException if two values have one key, as equal ones have
   */
  public static List<byte[]> ofValues(IndexDefinition index, List<?> values) {
    TreeMap<byte[], Operand> keys = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Object value : values) {
      Operand operand = index.type().codec().operand(value);
      if (!operand.key().isUnkeyable()) {
        Operand before = keys.put(operand.key().bytes(), operand);
        if (before != null) {
          throw sameTwice(index, before, operand);
        }
      }
    }
    return List.copyOf(keys.keySet());
  }

  private static InvalidIndexException sameTwice(
      IndexDefinition index, Operand before, Operand given) {
    return new InvalidIndexException(
        "index '"
            + index.name()
            + "': split value "
            + given
            + (before.equals(given) ? " is given twice" : " has the key of " + before)
            + "; name each place to split once");
  }

  /**
   * The split keys themselves.
   *
   * @throws InvalidIndexException if boundaries of regions must not show values, and these would
   */
  public static List<byte[]> checked(
      TableDescriptor base, IndexDefinition index, List<byte[]> splits) {
    if (!splits.isEmpty() && IndexTable.mustHideBoundaries(base, index)) {
      throw new InvalidIndexException(
          "index '"
              + index.name()
              + "': its table is one region, as boundaries of regions would show values of an"
              + " encrypted family, or of an index with boundaries=NONE; leave split values out");
    }
    return splits;
  }

  static List<byte[]> quantiles(List<byte[]> keys, int parts) {
    List<byte[]> sorted = new ArrayList<>(keys);
    sorted.sort(Bytes.BYTES_COMPARATOR);
    TreeSet<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 1; i < parts && !sorted.isEmpty(); i++) {
      splits.add(sorted.get((int) ((long) sorted.size() * i / parts)));
    }
    if (!sorted.isEmpty()) {
      splits.remove(sorted.get(0)); // nothing would be before it
    }
    return List.copyOf(splits);
  }

  private static List<byte[]> keys(
      Connection connection, TableName name, IndexDefinition index, List<HRegionLocation> regions)
      throws IOException {
    int step = (regions.size() + MAX_SAMPLED_REGIONS - 1) / MAX_SAMPLED_REGIONS;
    int sampled = (regions.size() + step - 1) / step;
    int each = Math.max(1, MAX_SAMPLES / sampled);
    TableInfo.requireEnabled(connection, name);
    List<byte[]> keys = new ArrayList<>();
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < regions.size(); i += step) {
        addKeys(table, index, scan(regions.get(i), index, each), keys);
      }
    }
    return keys;
  }

  /** Of the whole family: rows without the column count, so that the scan ends soon. */
  private static Scan scan(HRegionLocation region, IndexDefinition index, int rows) {
    return new Scan()
        .withStartRow(region.getRegion().getStartKey())
        .withStopRow(region.getRegion().getEndKey())
        .addFamily(index.column().family())
        .setCacheBlocks(false)
        .setCaching(rows)
        .setLimit(rows);
  }

  private static void addKeys(Table table, IndexDefinition index, Scan scan, List<byte[]> keys)
      throws IOException {
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        Cell cell = row.getColumnLatestCell(index.column().family(), index.column().qualifier());
        ValueKey key =
            cell == null
                ? null
                : index
                    .type()
                    .codec()
                    .key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        if (key != null && !key.isUnkeyable()) {
          keys.add(key.bytes());
        }
      }
    }
  }
}
