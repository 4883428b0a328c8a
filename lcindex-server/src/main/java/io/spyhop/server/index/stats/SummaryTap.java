package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches what a flush or compaction writes. What goes wrong in watching ends the watching alone.
 * Not thread-safe.
 */
final class SummaryTap implements InternalScanner, Shipper {
  private static final Logger LOG = LoggerFactory.getLogger(SummaryTap.class);

  private final InternalScanner scanner;
  private CellCollector collector;
  private volatile boolean closed;

  SummaryTap(InternalScanner scanner, List<StatisticsColumn> columns) {
    this.scanner = scanner;
    this.collector = new CellCollector(columns);
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result, context);
    look(result, before);
    return more;
  }

  @Override
  public boolean next(List<Cell> result) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result);
    look(result, before);
    return more;
  }

  private void look(List<Cell> result, int from) {
    CellCollector c = collector;
    if (c == null) {
      return;
    }
    try {
      for (int i = from; i < result.size(); i++) {
        c.add(result.get(i));
      }
    } catch (RuntimeException e) {
      LOG.warn("The statistics of a new HFile must be gathered by reading it", e);
      collector = null;
    }
  }

  /**
   * The summary of a file that holds so many cells; empty if these are not the ones that were seen.
   */
  Optional<SourceSummary> summary(long cells) {
    CellCollector c = collector;
    collector = null;
    return c == null || c.cells() != cells ? Optional.empty() : Optional.of(c.build());
  }

  @Override
  public void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  /** Whether the flush or compaction has ended, or failed. */
  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    scanner.close();
  }
}
