package io.spyhop.server.global;

import io.spyhop.core.global.BuiltRanges;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the global indexes of one region for what it had before. Thread-safe. */
final class RegionBuild {
  private static final Logger LOG = LoggerFactory.getLogger(RegionBuild.class);

  private final HRegion region;
  private final IndexWriter writer;
  private final BulkLoads loads;
  private final Predicate<GlobalIndex> cancelled;

  /**
   * @param cancelled whether an index is not to be built for the region any more
   */
  RegionBuild(
      HRegion region, IndexWriter writer, BulkLoads loads, Predicate<GlobalIndex> cancelled) {
    this.region = region;
    this.writer = writer;
    this.loads = loads;
    this.cancelled = cancelled;
  }

  /** Builds what of an index is not built. */
  void run(GlobalIndex index) throws IOException {
    synchronized (index) {
      if (index.isBuilt()) {
        return;
      }
      if (loads.anyWithout(index)) {
        LOG.info("Index '{}' of {} is built when a bulk load has ended", index, region);
      } else {
        buildRest(index);
      }
    }
  }

  private void buildRest(GlobalIndex index) throws IOException {
    BuiltRanges built = built(index);
    byte[] start = region.getRegionInfo().getStartKey();
    byte[] end = region.getRegionInfo().getEndKey();
    try {
      if (!built.covers(start, end)) {
        new EntryBuilder(
                region, index.definition(), index.table(), writer, () -> isCancelled(index))
            .build(built);
        LOG.info("Built index '{}' for {}", index.definition().name(), region);
      }
      index.built();
    } catch (InterruptedIOException e) {
      LOG.debug("Building {} for {} ends", index.definition().name(), region, e);
    } catch (IOException e) {
      index.failed(e);
      throw e;
    }
  }

  private boolean isCancelled(GlobalIndex index) {
    return region.isClosing() || region.isClosed() || cancelled.test(index);
  }

  private BuiltRanges built(GlobalIndex index) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Result r : writer.read(index.table(), ControlRows.scan())) {
      cells.addAll(r.listCells());
    }
    return ControlRows.ranges(cells);
  }
}
