package io.spyhop.server.model;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A query of an index that is read in part, and to its end some steps later.
 *
 * <p>What HBase promises of a scanner holds for each row of it. In the region that it was in when
 * it was held, as long as that stays open: the row as it was when the region's scanner was opened.
 * A compaction may meanwhile have dropped a version which a delete marker in another file uncovers;
 * a plain scanner that is held reads the old files, one that is opened at the same read point the
 * new ones, and either answer will do. Anywhere else the scanner was opened again, or for the first
 * time, at any moment since: nothing is written while it is read, so the row is as it was when the
 * scan began or as it is now, or as it was in between where the client was a region ahead. HBase's
 * client goes on at the old region's read point, so what is newer there may be missing (decision
 * 0007).
 */
final class HeldScan implements AutoCloseable {
  /** Well below the time after which HBase takes a scanner away that nobody uses. */
  private static final long LEASE = Duration.ofSeconds(30).toNanos();

  private static final int TRIES = 20;
  private static final int ROWS = 6;

  private final ModelTable model;
  private final Scan scan;
  private final String hint;
  private final ResultScanner held;
  private final ResultScanner plain;
  private final byte[] last;
  private final Optional<HRegion> region;
  private final long readPoint;
  private final long began = System.nanoTime();
  private final List<NavigableMap<byte[], String>> states = new ArrayList<>();
  private int rowsPinned;

  /** Opens it and reads some rows. */
  HeldScan(ModelTable model, Random r) throws IOException {
    this.model = model;
    this.scan = draw(r);
    this.hint = hint(r);
    states.add(rows(scan));
    this.held = model.stored().getScanner(hinted(hint));
    this.plain = model.stored().getScanner(Checker.byFiles(hinted(Attributes.PATH_SCAN)));
    byte[] row = null;
    int some = Math.min(states.get(0).size(), 1 + r.nextInt(1 + states.get(0).size() / 2));
    for (Map.Entry<byte[], String> e : states.get(0).entrySet()) {
      if (some-- == 0) {
        break;
      }
      requireEqual(e, next(held));
      requireEqual(e, next(plain));
      row = e.getKey();
    }
    this.last = row;
    this.region = Optional.ofNullable(row).flatMap(this::regionOf);
    this.readPoint =
        region.map(i -> i.getReadPoint(IsolationLevel.READ_COMMITTED)).orElse(Long.MAX_VALUE);
  }

  /** A scan that leaves rows to read later, if one is soon found. */
  private Scan draw(Random r) throws IOException {
    Scan drawn;
    int tries = 0;
    do {
      BoundPredicate predicate = Binder.bind(RandomPredicates.draw(r), Checker.resolver());
      drawn = RandomScans.draw(r, predicate, model.maySelectColumns());
      drawn.setLimit(-1).setCaching(1);
    } while (++tries < TRIES && rows(drawn).size() < ROWS);
    return drawn;
  }

  private String hint(Random r) throws IOException {
    List<IndexDefinition> indexes = model.indexes();
    return indexes.isEmpty() || r.nextBoolean()
        ? Attributes.PATH_INDEX
        : indexes.get(r.nextInt(indexes.size())).name();
  }

  private Scan hinted(String path) throws IOException {
    return new Scan(scan).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
  }

  private Optional<HRegion> regionOf(byte[] row) {
    return model.cluster().regions(model.name()).stream()
        .filter(i -> i.getRegionInfo().containsRow(row))
        .findFirst();
  }

  private static Map.Entry<byte[], String> next(ResultScanner scanner) throws IOException {
    Result row = scanner.next();
    return row == null ? null : Map.entry(row.getRow(), show(row));
  }

  private static String show(Result row) {
    List<String> cells = new ArrayList<>();
    Checker.show(row, cells);
    return String.join("\n  ", cells);
  }

  private NavigableMap<byte[], String> rows(Scan asked) throws IOException {
    NavigableMap<byte[], String> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Scan plainly =
        new Scan(asked).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    try (ResultScanner scanner = model.stored().getScanner(Checker.byFiles(plainly))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.put(row.getRow(), show(row));
      }
    }
    return rows;
  }

  private void requireEqual(Map.Entry<byte[], String> expected, Map.Entry<byte[], String> found) {
    boolean equal =
        found != null
            && Bytes.equals(expected.getKey(), found.getKey())
            && expected.getValue().equals(found.getValue());
    if (!equal && !model.isRestless()) {
      throw new AssertionError(
          this + " begins with " + found + " where the plain scan has " + expected);
    }
  }

  /** Notes what the table has become, after each step. */
  void note() throws IOException {
    states.add(rows(scan));
  }

  /** Reads the rest, and judges it. */
  void finish() throws IOException {
    NavigableMap<byte[], String> rest = rest(held);
    NavigableMap<byte[], String> plainly = rest(plain);
    note();
    TreeSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    keys.addAll(rest.keySet());
    keys.addAll(plainly.keySet());
    for (NavigableMap<byte[], String> state : states) {
      keys.addAll(last == null ? state.keySet() : state.tailMap(last, false).keySet());
    }
    for (byte[] key : keys) {
      judge(key, rest.get(key), plainly.get(key));
    }
  }

  /** In row order, each once, and none that was read before. */
  private NavigableMap<byte[], String> rest(ResultScanner scanner) throws IOException {
    NavigableMap<byte[], String> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    byte[] before = last;
    for (Map.Entry<byte[], String> e = next(scanner); e != null; e = next(scanner)) {
      if (before != null && Bytes.compareTo(before, e.getKey()) >= 0) {
        throw new AssertionError(
            this + " gives " + e + " after row " + Bytes.toStringBinary(before));
      }
      before = e.getKey();
      rows.put(before, e.getValue());
    }
    return rows;
  }

  private void judge(byte[] key, String found, String plainly) throws IOException {
    List<String> right = new ArrayList<>();
    right.add(states.get(0).get(key));
    right.add(plainly);
    boolean pinned = isPinned(key);
    if (pinned && !right.contains(found)) {
      try {
        right.add(atReadPoint(region.orElseThrow(), key));
      } catch (NotServingRegionException e) {
        pinned = false; // it has begun to close
      }
    }
    if (pinned) {
      rowsPinned += found == null ? 0 : 1;
    } else {
      states.forEach(s -> right.add(s.get(key)));
      right.add(atReadPoint(regionOf(key).orElseThrow(), key));
    }
    if (!right.contains(found)) {
      throw new AssertionError(
          this
              + (pinned ? " in the region it is in" : " in another region")
              + " gives for row "
              + Bytes.toStringBinary(key)
              + "\n  "
              + found
              + "\nand it should be one of\n  "
              + right);
    }
  }

  /** Whether the scanner of this row was open all the time. */
  private boolean isPinned(byte[] key) {
    return !model.isRestless()
        && System.nanoTime() - began < LEASE
        && region.isPresent()
        && region.get().getRegionInfo().containsRow(key)
        && model.cluster().regions(model.name()).contains(region.get());
  }

  /** Rows of the rest that the scanner found where it had been open all the time. */
  int pinned() {
    return rowsPinned;
  }

  private String atReadPoint(HRegion in, byte[] key) throws IOException {
    Result row = row(in, scan, key, readPoint);
    return row.isEmpty() ? null : show(row);
  }

  /** What a scan that HBase's client has opened again finds of a row. */
  static Result row(HRegion in, Scan scan, byte[] key, long readPoint) throws IOException {
    Scan one = new Scan(scan).withStartRow(key, true).withStopRow(key, true);
    PackagePrivateFieldAccessor.setMvccReadPoint(one, readPoint);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = in.getScanner(one)) {
      boolean more = true;
      while (more && cells.isEmpty()) {
        more = scanner.next(cells);
      }
    }
    return Result.create(cells);
  }

  @Override
  public String toString() {
    return "the scan "
        + scan
        + " with hint "
        + hint
        + ", held after row "
        + (last == null ? "none" : Bytes.toStringBinary(last));
  }

  @Override
  public void close() {
    held.close();
    plain.close();
  }
}
