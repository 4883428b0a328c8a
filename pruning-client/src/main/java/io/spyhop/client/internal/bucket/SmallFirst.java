package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Rows of several regions in no order. The first ones of all come with one call a server, which is
 * all of a small range; the others are scanned. Not thread-safe.
 */
final class SmallFirst implements RowStream {
  private final List<RowRange> parts;
  private final IoFunction<RowRange, Scan> small;
  private final BucketScans.Regions regions;
  private final IoFunction<List<RowRange>, RowStream> scans;
  private final Queue<Result> first = new ArrayDeque<>();
  private RowStream rest;
  private boolean closed;

  /**
   * @param parts of stored rows, each of one region
   * @param small a scan of a part that stops after a few rows
   * @param scans scans parts as a whole
   */
  SmallFirst(
      List<RowRange> parts,
      IoFunction<RowRange, Scan> small,
      BucketScans.Regions regions,
      IoFunction<List<RowRange>, RowStream> scans) {
    this.parts = parts;
    this.small = small;
    this.regions = regions;
    this.scans = scans;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (rest == null) {
      rest = scans.apply(askFirst());
    }
    return first.isEmpty() ? rest.next() : first.remove();
  }

  /** What is left of the parts behind the first rows. */
  private List<RowRange> askFirst() throws IOException {
    List<Scan> asked = new ArrayList<>();
    for (RowRange part : parts) {
      asked.add(small.apply(part));
    }
    List<Optional<FirstRows>> answers = regions.firstRows(asked);
    List<RowRange> left = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      RowRange part = parts.get(i);
      answers
          .get(i)
          .map(answer -> taken(answer, part))
          .orElse(Optional.of(part))
          .ifPresent(left::add);
    }
    return left;
  }

  /** HBase takes no start row that is longer than any row, so that the longest begins the rest. */
  private Optional<RowRange> taken(FirstRows answer, RowRange part) {
    byte[] start = part.start();
    for (List<Cell> cells : answer.rows()) {
      Result stored = Result.create(cells);
      byte[] row = stored.getRow();
      if (row.length == HConstants.MAX_ROW_LENGTH) {
        return Optional.of(new RowRange(row, part.stop()));
      }
      start = Arrays.copyOf(row, row.length + 1);
      first.add(UserRows.of(stored));
    }
    return answer.whole() ? Optional.empty() : Optional.of(new RowRange(start, part.stop()));
  }

  @Override
  public void close() {
    closed = true;
    if (rest != null) {
      rest.close();
    }
  }
}
