package io.spyhop.server.model;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.wire.DecimalNumber;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws the settings of scans around a predicate. */
final class RandomScans {
  private RandomScans() {}

  /**
   * @param explicit whether single columns may be selected: HBase 2.6.1 may seek to the same column
   *     for ever in a family with NEW_VERSION_BEHAVIOR, with or without a filter
   */
  static Scan draw(Random r, BoundPredicate predicate, boolean explicit) {
    Scan scan = new Scan().setFilter(new PredicateFilter(predicate));
    rows(r, scan);
    selection(r, scan, predicate, explicit);
    if (r.nextInt(3) == 0) {
      scan.setCaching(1 + r.nextInt(5));
    }
    if (r.nextInt(3) == 0) {
      scan.setMaxResultSize(1 + r.nextInt(400));
    }
    if (r.nextInt(4) == 0) {
      scan.readVersions(1 + r.nextInt(4));
    }
    if (r.nextInt(5) == 0) {
      int limit = 1 + r.nextInt(6);
      scan.setLimit(limit).setAttribute(Attributes.LIMIT, DecimalNumber.encode(limit));
    }
    return scan;
  }

  private static void rows(Random r, Scan scan) {
    List<byte[]> range = range(r);
    if (r.nextInt(4) == 0) {
      scan.withStartRow(range.get(0), r.nextBoolean());
    }
    if (r.nextInt(4) == 0) {
      scan.withStopRow(range.get(1), r.nextBoolean());
    }
  }

  /**
   * Two rows in order: of a range that ends before it begins a store in stripes reads nothing but
   * fails (docs/decisions/0007).
   */
  static List<byte[]> range(Random r) {
    return Stream.of("r" + r.nextInt(30), "r" + (20 + r.nextInt(20)))
        .sorted()
        .map(Bytes::toBytes)
        .toList();
  }

  private static void selection(Random r, Scan scan, BoundPredicate predicate, boolean explicit) {
    int how = r.nextInt(explicit ? 3 : 2);
    if (how == 0) {
      return;
    }
    for (BoundColumn c : predicate.columns()) {
      if (how == 1) {
        scan.addFamily(c.name().family());
      } else {
        scan.addColumn(c.name().family(), c.name().qualifier());
      }
    }
    if (how == 2 && r.nextBoolean()) {
      scan.addColumn(Bytes.toBytes("f"), Bytes.toBytes("b"));
    }
  }
}
