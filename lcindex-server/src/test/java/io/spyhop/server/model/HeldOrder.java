package io.spyhop.server.model;

import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A scan of the whole table in the order of users' keys, upwards or downwards, which is read in
 * part, and to its end some steps later. Its regions are opened at any moment in between, so of the
 * rows that the steps change nothing is known; all others must be there, each once and in order.
 */
final class HeldOrder implements AutoCloseable {
  private final ModelTable model;
  private final Scan scan;
  private final ResultScanner held;
  private final List<NavigableMap<byte[], String>> states = new ArrayList<>();
  private final NavigableMap<byte[], String> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final int begun;
  private byte[] last;
  private final long leastReadPoint;

  HeldOrder(ModelTable model, Random r) throws IOException {
    this.model = model;
    this.scan = new Scan().setReversed(r.nextInt(3) > 0).setCaching(1 + r.nextInt(3));
    if (r.nextBoolean()) {
      scan.setMaxResultSize(1 + r.nextInt(1_000));
    }
    note();
    this.held = model.table().getScanner(scan);
    boolean more = true;
    for (int some = r.nextInt(1 + states.get(0).size()); more && some > 0; some--) {
      more = next();
    }
    this.begun = found.size();
    this.leastReadPoint =
        model.cluster().regions(model.name()).stream()
            .mapToLong(i -> i.getReadPoint(IsolationLevel.READ_COMMITTED))
            .min()
            .orElseThrow();
  }

  private boolean next() throws IOException {
    Result row = held.next();
    if (row == null) {
      return false;
    }
    int order = last == null ? 1 : Bytes.compareTo(row.getRow(), last);
    if (last != null && (scan.isReversed() ? order >= 0 : order <= 0)) {
      throw new AssertionError(
          this
              + " gives row "
              + Bytes.toStringBinary(row.getRow())
              + " after "
              + Bytes.toStringBinary(last));
    }
    last = row.getRow();
    found.put(last, values(row));
    return true;
  }

  /** Notes what the table has become, after each step. */
  void note() throws IOException {
    NavigableMap<byte[], String> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    try (ResultScanner scanner = model.stored().getScanner(Checker.byFiles(new Scan()))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        byte[] stored = row.getRow();
        int key = model.hasBuckets() ? BucketOptions.WIDTH : 0;
        rows.put(Arrays.copyOfRange(stored, key, stored.length), values(row));
      }
    }
    states.add(rows);
  }

  /**
   * A plain table's scan goes on elsewhere at the read point of the region that it was in, which in
   * a merged region may hide the row (decision 0007).
   */
  private boolean mayMiss(byte[] key, String value) throws IOException {
    if (model.isRestless() || model.hasBuckets()) {
      return model.isRestless();
    }
    for (HRegion region : model.cluster().regions(model.name())) {
      if (region.getRegionInfo().containsRow(key)) {
        return !value.equals(values(HeldScan.row(region, new Scan(), key, leastReadPoint)));
      }
    }
    return false;
  }

  /** Without rows, which have prefixes in one of the two. */
  private static String values(Result row) {
    return Arrays.stream(row.rawCells()).map(BucketChecker::text).toList().toString();
  }

  /** Reads the rest, and judges it; says how many rows it was certain of. */
  int finish() throws IOException {
    while (next()) {
      // Until its end.
    }
    note();
    int certain = 0;
    for (var row : states.get(0).entrySet()) {
      String value = row.getValue();
      if (states.stream().allMatch(s -> value.equals(s.get(row.getKey())))) {
        certain++;
        if (!value.equals(found.get(row.getKey())) && !mayMiss(row.getKey(), value)) {
          throw new AssertionError(
              this
                  + " gives for row "
                  + Bytes.toStringBinary(row.getKey())
                  + ", which nobody changed,\n  "
                  + found.get(row.getKey())
                  + "\nand it is\n  "
                  + value
                  + "\nof the rows "
                  + found.keySet().stream().map(Bytes::toStringBinary).toList()
                  + ", the first "
                  + begun
                  + " of them before the steps");
        }
      }
    }
    return certain;
  }

  @Override
  public String toString() {
    return "the held scan in order " + scan;
  }

  @Override
  public void close() {
    held.close();
  }
}
