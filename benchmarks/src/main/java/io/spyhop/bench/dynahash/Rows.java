package io.spyhop.bench.dynahash;

import io.spyhop.client.Query;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows that follow from their numbers: a key, {@code d:v} with an index, {@code d:w} without, and a
 * payload. Rows from a certain number on have values that no question asks for. Stateless.
 */
final class Rows {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final String INDEX = "v";

  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] W = Bytes.toBytes("w");
  private static final byte[] PAYLOAD = Bytes.toBytes("p");
  private static final int PAYLOAD_BYTES = 100;
  private static final long VALUES = 1_000_000;
  private static final long FROM = 200_000;
  private static final long TO = 219_999;
  private static final long OTHERS = 100;
  private static final long BELOW = 20;

  /** The first row that no question asks for. */
  static final long APART = 1_000_000_000L;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int SHIFT = 29;

  private Rows() {}

  static byte[] key(long row) {
    return String.format(Locale.ROOT, "row%010d", row).getBytes(StandardCharsets.US_ASCII);
  }

  private static long mixed(long number) {
    long mixed = number * MIX;
    mixed = (mixed ^ (mixed >>> SHIFT)) * MIX;
    return mixed ^ (mixed >>> SHIFT);
  }

  private static long v(long row) {
    long value = Math.floorMod(mixed(row), VALUES);
    return row < APART ? value : value + VALUES;
  }

  private static long w(long row) {
    return Math.floorMod(mixed(row + VALUES), OTHERS);
  }

  static Put put(long row) {
    return put(row, key(row));
  }

  static Put put(long row, byte[] storedKey) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    Arrays.fill(payload, (byte) row);
    return new Put(storedKey)
        .addColumn(FAMILY, V, Bytes.toBytes(v(row)))
        .addColumn(FAMILY, W, Bytes.toBytes(w(row)))
        .addColumn(FAMILY, PAYLOAD, payload);
  }

  /**
   * Numbers of all rows in another order, so that neighbours are not written one after the other.
   */
  static List<Long> shuffled(int rows) {
    List<Long> all = new ArrayList<>(LongStream.range(0, rows).boxed().toList());
    all.sort((a, b) -> Long.compare(mixed(a + 1), mixed(b + 1)));
    return all;
  }

  /** A few permille of the rows, by the indexed column and another. */
  static Query query() {
    return Query.where("v BETWEEN " + FROM + " AND " + TO + " AND CAST(w AS LONG) < " + BELOW);
  }

  /** Passes rows whose {@code d:w} is less. */
  static Filter below(long w) {
    return new SingleColumnValueFilter(FAMILY, W, CompareOperator.LESS, Bytes.toBytes(w));
  }

  private static boolean isAsked(long row) {
    return v(row) >= FROM && v(row) <= TO && w(row) < BELOW;
  }

  static Digest all(int rows) {
    return of(0, rows, row -> true);
  }

  static Digest asked(int rows) {
    return askedOf(0, rows);
  }

  static Digest askedOf(long from, long to) {
    return of(from, to, Rows::isAsked);
  }

  static Digest range(long from, long to) {
    return of(from, to, row -> true);
  }

  private static Digest of(long from, long to, LongPredicate which) {
    Digest digest = new Digest();
    LongStream.range(from, to)
        .filter(which)
        .forEach(row -> digest.add(key(row), Bytes.toBytes(v(row)), Bytes.toBytes(w(row))));
    return digest;
  }

  static IndexDefinition index() {
    return IndexDefinition.builder(INDEX)
        .kind(IndexKind.LOCAL)
        .column("d:v")
        .type(ValueType.LONG)
        .build();
  }

  static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
  }

  /** A bucketed one as {@code spyhop buckets create} makes it. */
  static TableDescriptorBuilder bucketed(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
                .build());
  }

  /** The set of rows found, in any order. Not thread-safe. */
  static final class Digest {
    private long rows;
    private long sum;

    /** Adds a row by its key and the cells that a scan found. */
    void add(byte[] key, Result row) {
      add(key, row.getValue(FAMILY, V), row.getValue(FAMILY, W));
    }

    private void add(byte[] key, byte[] v, byte[] w) {
      long hash = mixed(Arrays.hashCode(key));
      hash = mixed(hash + Arrays.hashCode(v));
      rows++;
      sum += mixed(hash + Arrays.hashCode(w));
    }

    /** Adds all rows of another. */
    void add(Digest other) {
      rows += other.rows;
      sum += other.sum;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Digest other && rows == other.rows && sum == other.sum;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(sum);
    }

    @Override
    public String toString() {
      return rows + " rows of sum " + sum;
    }
  }
}
