package io.spyhop.server.model;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.wire.DecimalNumber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/**
 * Cells of a row expire while scans in the order of values are read: rows that there are before and
 * after come once.
 */
final class ExpiryAmid {
  private static final long LIFETIME = 800;

  private final ModelTable model;
  private final List<Read> reads = new ArrayList<>();

  /** A scan of a region, and the rows that there were when it began. */
  private record Read(
      RegionInfo region, ResultScanner scanner, List<Result> found, Set<String> before) {}

  ExpiryAmid(ModelTable model) {
    this.model = model;
  }

  /** Says how many regions went on in order behind the first rows. */
  int run(Random r) throws IOException {
    model.table().put(Operation.put(r, true).setTTL(LIFETIME));
    long end = System.currentTimeMillis() + LIFETIME;
    Column column = Column.values()[r.nextInt(Column.values().length)];
    Binder.Valued all =
        Binder.bindValued(null, new ColumnRef(column.text(), column.type()), Checker.resolver());
    ValueOrder order = new ValueOrder(all.column(), r.nextBoolean());
    try {
      for (RegionInfo region : model.regions()) {
        begin(region, all, order, r);
      }
      Awaitility.await("the cells to expire")
          .pollInterval(Duration.ofMillis(5))
          .until(() -> System.currentTimeMillis() > end + 2);
      int wentOn = 0;
      for (Read read : reads) {
        wentOn += finish(read, all, order) ? 1 : 0;
      }
      return wentOn;
    } finally {
      reads.forEach(read -> read.scanner.close());
    }
  }

  private Set<String> plain(RegionInfo region, Binder.Valued all, ValueOrder order)
      throws IOException {
    return OrderChecker.sorted(model.stored(), OrderChecker.of(region), all.predicate(), order)
        .stream()
        .map(row -> Bytes.toStringBinary(row.getRow()))
        .collect(Collectors.toSet());
  }

  private void begin(RegionInfo region, Binder.Valued all, ValueOrder order, Random r)
      throws IOException {
    Set<String> before = plain(region, all, order);
    Scan scan = OrderChecker.inOrder(all.predicate(), order, region, Optional.empty());
    // So many rows are decided first, and then twice as many.
    scan.setAttribute(Attributes.LIMIT, DecimalNumber.encode(1 + r.nextInt(4)));
    ResultScanner scanner = model.stored().getScanner(scan.setCaching(1));
    Read read = new Read(region, scanner, new ArrayList<>(), before);
    reads.add(read);
    for (int some = r.nextInt(1 + before.size()); some > 0 && next(read); some--) {
      // The others are read when cells have expired.
    }
  }

  private static boolean next(Read read) throws IOException {
    try {
      Result row = read.scanner.next();
      if (row != null) {
        read.found.add(row);
      }
      return row != null;
    } catch (OrderRefusedException e) {
      read.before.clear(); // the client would sort
      return false;
    }
  }

  private boolean finish(Read read, Binder.Valued all, ValueOrder order) throws IOException {
    int before = read.found.size();
    while (next(read)) {
      // Until its end.
    }
    Set<String> certain = new HashSet<>(read.before);
    certain.retainAll(plain(read.region, all, order));
    List<String> rows = read.found.stream().map(row -> Bytes.toStringBinary(row.getRow())).toList();
    boolean ascending = true;
    for (int i = 1; i < read.found.size(); i++) {
      ascending &=
          order.compare(
                  OrderChecker.position(order, read.found.get(i - 1)),
                  OrderChecker.position(order, read.found.get(i)))
              < 0;
    }
    if (!ascending || !rows.containsAll(certain) || new HashSet<>(rows).size() < rows.size()) {
      throw new AssertionError(
          read.region + " gives, " + order + ", the rows\n  " + rows + "\nof\n  " + certain);
    }
    return read.found.size() > before;
  }
}
