package io.spyhop.core.stats;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Summaries of a source of a region: an HFile, the memstore, or several of these together.
 * Immutable, thread-safe.
 *
 * @param deletes whether it holds a delete marker
 * @param cellTtl whether it holds a cell with a TTL of its own
 * @param columns the columns that are known; of others it may hold anything
 */
public record SourceSummary(
    boolean deletes, boolean cellTtl, SortedMap<ColumnName, ColumnSummary> columns) {
  private static final int LEAST_COLUMN = 2 * Frame.LEAST_BYTES + ColumnSummary.LEAST;

  /** Of a store without columns. */
  public static final SourceSummary NOTHING = new SourceSummary(false, false, new TreeMap<>());

  /** Copies the map. */
  public SourceSummary {
    columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
  }

  /** This source and another of the same store: known is what both know. */
  public SourceSummary union(SourceSummary other) {
    SortedMap<ColumnName, ColumnSummary> both = new TreeMap<>();
    columns.forEach(
        (name, c) -> {
          ColumnSummary o = other.columns.get(name);
          if (o != null && o.type() == c.type()) {
            both.put(name, c.union(o));
          }
        });
    return new SourceSummary(deletes || other.deletes, cellTtl || other.cellTtl, both);
  }

  /** This source and one of another store, whose columns are different ones. */
  public SourceSummary beside(SourceSummary other) {
    SortedMap<ColumnName, ColumnSummary> all = new TreeMap<>(columns);
    all.putAll(other.columns);
    return new SourceSummary(deletes || other.deletes, cellTtl || other.cellTtl, all);
  }

  /** The same with another summary of one column. */
  SourceSummary with(ColumnName name, ColumnSummary column) {
    SortedMap<ColumnName, ColumnSummary> all = new TreeMap<>(columns);
    all.put(name, column);
    return new SourceSummary(deletes, cellTtl, all);
  }

  /** The same with the bounds of columns alone. */
  public SourceSummary bounds() {
    SortedMap<ColumnName, ColumnSummary> bounds = new TreeMap<>();
    columns.forEach((name, c) -> bounds.put(name, c.withBloom(null)));
    return new SourceSummary(deletes, cellTtl, bounds);
  }

  /** Bytes that it takes in memory, about. */
  public int heapSize() {
    int sum = 48;
    for (Map.Entry<ColumnName, ColumnSummary> e : columns.entrySet()) {
      sum += 64 + e.getKey().family().length + e.getKey().qualifier().length;
      sum += e.getValue().heapSize();
    }
    return sum;
  }

  /** Writes what {@link #read} reads. */
  public void write(DataOutputStream out) throws IOException {
    out.writeBoolean(deletes);
    out.writeBoolean(cellTtl);
    out.writeInt(columns.size());
    for (Map.Entry<ColumnName, ColumnSummary> e : columns.entrySet()) {
      Frame.writeBytes(out, e.getKey().family());
      Frame.writeBytes(out, e.getKey().qualifier());
      e.getValue().write(out);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static SourceSummary read(DataInputStream in) throws IOException {
    boolean deletes = in.readBoolean();
    boolean cellTtl = in.readBoolean();
    SortedMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    for (int n = Frame.readCount(in, LEAST_COLUMN); n > 0; n--) {
      ColumnName name = ColumnName.of(Frame.readBytes(in), Frame.readBytes(in));
      columns.put(name, ColumnSummary.read(in));
    }
    return new SourceSummary(deletes, cellTtl, columns);
  }
}
