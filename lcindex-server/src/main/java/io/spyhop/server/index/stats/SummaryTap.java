package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.index.OutputTap;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers the statistics of what a flush or compaction writes. Not thread-safe. */
final class SummaryTap extends OutputTap {
  private static final Logger LOG = LoggerFactory.getLogger(SummaryTap.class);

  private CellCollector collector;

  SummaryTap(InternalScanner scanner, List<StatisticsColumn> columns) {
    super(scanner);
    this.collector = new CellCollector(columns);
  }

  @Override
  protected void look(Cell cell) {
    if (collector != null) {
      collector.add(cell);
    }
  }

  @Override
  protected void failed(Throwable why) {
    LOG.warn("The statistics of a new HFile must be gathered by reading it", why);
    collector = null;
  }

  /**
   * The summary of a file that holds so many cells; empty if these are not the ones that were seen.
   */
  Optional<SourceSummary> summary(long cells) {
    CellCollector c = collector;
    collector = null;
    return c == null || c.cells() != cells ? Optional.empty() : Optional.of(c.build());
  }
}
