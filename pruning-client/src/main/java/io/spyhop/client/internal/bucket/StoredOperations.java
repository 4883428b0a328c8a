package io.spyhop.client.internal.bucket;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.protocol.BelievedBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilder;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Operations of a bucketed table's users as operations on its stored rows: copies, that have all
 * that the originals have but for the row. Immutable, thread-safe.
 *
 * <p>All of them throw {@link io.spyhop.core.bucket.InvalidBucketsException} if a key is empty, or
 * too long with its prefix.
 */
public final class StoredOperations {
  private final BucketKeys keys;

  /** Of a table with such rows. */
  public StoredOperations(BucketKeys keys) {
    this.keys = keys;
  }

  /**
   * Any operation that a batch can have.
   *
   * @throws UnsupportedOperationException for one that is not known
   */
  public Row of(Row row) throws IOException {
    if (row instanceof Get get) {
      return of(get);
    }
    if (row instanceof Mutation mutation) {
      return of(mutation);
    }
    if (row instanceof RowMutations mutations) {
      return of(mutations);
    }
    if (row instanceof CheckAndMutate check) {
      return of(check);
    }
    throw new UnsupportedOperationException(
        "a " + row.getClass().getSimpleName() + " cannot be run on a bucketed table");
  }

  /** A Get of one row. */
  public Get of(Get get) throws IOException {
    RowFilters.refuse(get.getFilter());
    Get stored = new Get(keys.stored(get.getRow()));
    stored.setFilter(get.getFilter());
    stored.setReplicaId(get.getReplicaId());
    stored.setConsistency(get.getConsistency());
    stored.setCacheBlocks(get.getCacheBlocks());
    stored.readVersions(get.getMaxVersions());
    stored.setMaxResultsPerColumnFamily(get.getMaxResultsPerColumnFamily());
    stored.setRowOffsetPerColumnFamily(get.getRowOffsetPerColumnFamily());
    stored.setTimeRange(get.getTimeRange().getMin(), get.getTimeRange().getMax());
    stored.setCheckExistenceOnly(get.isCheckExistenceOnly());
    Boolean onDemand = get.getLoadColumnFamiliesOnDemandValue();
    if (onDemand != null) {
      stored.setLoadColumnFamiliesOnDemand(onDemand);
    }
    get.getFamilyMap().forEach((family, columns) -> select(stored, family, columns));
    get.getAttributesMap().forEach(stored::setAttribute);
    get.getColumnFamilyTimeRange()
        .forEach((f, t) -> stored.setColumnFamilyTimeRange(f, t.getMin(), t.getMax()));
    stored.setPriority(get.getPriority());
    BelievedBuckets.sign(stored, Optional.of(keys));
    return stored;
  }

  private static void select(Get get, byte[] family, NavigableSet<byte[]> columns) {
    if (columns == null || columns.isEmpty()) {
      get.addFamily(family);
    } else {
      columns.forEach(column -> get.addColumn(family, column));
    }
  }

  /** A change of one row: a Put, Delete, Increment or Append. */
  public Mutation of(Mutation mutation) throws IOException {
    byte[] row = keys.stored(mutation.getRow());
    NavigableMap<byte[], List<Cell>> cells = cells(row, mutation.getFamilyCellMap());
    Mutation stored = of(mutation, row, cells);
    mutation.getAttributesMap().forEach(stored::setAttribute);
    stored.setDurability(mutation.getDurability());
    stored.setPriority(mutation.getPriority());
    BelievedBuckets.sign(stored, Optional.of(keys));
    return stored;
  }

  private static Mutation of(Mutation mutation, byte[] row, NavigableMap<byte[], List<Cell>> cells)
      throws IOException {
    long time = mutation.getTimestamp();
    if (mutation instanceof Put) {
      return new Put(row, time, cells);
    }
    if (mutation instanceof Delete) {
      return new Delete(row, time, cells);
    }
    if (mutation instanceof Increment increment) {
      TimeRange range = increment.getTimeRange();
      return new Increment(row, time, cells).setTimeRange(range.getMin(), range.getMax());
    }
    if (mutation instanceof Append append) {
      TimeRange range = append.getTimeRange();
      return new Append(row, time, cells).setTimeRange(range.getMin(), range.getMax());
    }
    throw new UnsupportedOperationException(
        "a " + mutation.getClass().getSimpleName() + " cannot be run on a bucketed table");
  }

  private static NavigableMap<byte[], List<Cell>> cells(byte[] row, Map<byte[], List<Cell>> users) {
    NavigableMap<byte[], List<Cell>> stored = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    users.forEach(
        (family, cells) -> {
          List<Cell> moved = new ArrayList<>(cells.size());
          cells.forEach(cell -> moved.add(moved(row, cell)));
          stored.put(family, moved);
        });
    return stored;
  }

  private static Cell moved(byte[] row, Cell cell) {
    CellBuilder builder = CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY);
    return builder
        .setRow(row)
        .setFamily(CellUtil.cloneFamily(cell))
        .setQualifier(
            cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())
        .setTimestamp(cell.getTimestamp())
        .setType(cell.getType())
        .setValue(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
        .build();
  }

  /** Several changes of one row. */
  public RowMutations of(RowMutations mutations) throws IOException {
    List<Mutation> each = mutations.getMutations();
    RowMutations stored =
        new RowMutations(keys.stored(mutations.getRow()), Math.max(1, each.size()));
    for (Mutation mutation : each) {
      stored.add(of(mutation));
    }
    return stored;
  }

  /** A change of one row if a condition holds. */
  public CheckAndMutate of(CheckAndMutate check) throws IOException {
    CheckAndMutate.Builder stored = CheckAndMutate.newBuilder(keys.stored(check.getRow()));
    if (check.hasFilter()) {
      RowFilters.refuse(check.getFilter());
      stored.ifMatches(check.getFilter());
    } else {
      stored.ifMatches(
          check.getFamily(), check.getQualifier(), check.getCompareOp(), check.getValue());
    }
    if (check.getTimeRange() != null) {
      stored.timeRange(check.getTimeRange());
    }
    Row action = of(check.getAction());
    if (action instanceof Put put) {
      return stored.build(put);
    }
    if (action instanceof Delete delete) {
      return stored.build(delete);
    }
    if (action instanceof Increment increment) {
      return stored.build(increment);
    }
    if (action instanceof Append append) {
      return stored.build(append);
    }
    return stored.build((RowMutations) action);
  }
}
