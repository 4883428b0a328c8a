package io.spyhop.server.model;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import java.util.Random;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws the settings of scans around a predicate. */
final class RandomScans {
  private RandomScans() {}

  static Scan draw(Random r, BoundPredicate predicate) {
    Scan scan = new Scan().setFilter(new PredicateFilter(predicate));
    rows(r, scan);
    boolean explicit = selection(r, scan, predicate);
    if (r.nextInt(3) == 0) {
      scan.setCaching(1 + r.nextInt(5));
    }
    if (r.nextInt(3) == 0) {
      scan.setMaxResultSize(1 + r.nextInt(400));
    }
    // HBase 2.6.1's own scan of explicit columns with a filter never ends where the family has
    // NEW_VERSION_BEHAVIOR and more versions are asked for than it keeps.
    if (!explicit && r.nextInt(4) == 0) {
      scan.readVersions(1 + r.nextInt(4));
    }
    if (r.nextInt(5) == 0) {
      scan.setLimit(1 + r.nextInt(6));
    }
    return scan;
  }

  private static void rows(Random r, Scan scan) {
    if (r.nextInt(4) == 0) {
      scan.withStartRow(Bytes.toBytes("r" + r.nextInt(30)), r.nextBoolean());
    }
    if (r.nextInt(4) == 0) {
      scan.withStopRow(Bytes.toBytes("r" + (20 + r.nextInt(20))), r.nextBoolean());
    }
  }

  private static boolean selection(Random r, Scan scan, BoundPredicate predicate) {
    int how = r.nextInt(3);
    if (how == 0) {
      return false;
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
    return how == 2;
  }
}
