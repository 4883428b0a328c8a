package io.spyhop.server.query.plan;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.protocol.RegionPlan.Estimate;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnCounts;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.memstore.MemstoreIndex;
import io.spyhop.server.index.stats.RegionStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the indexes of a region that can drive a question, and counts what each would read. */
final class OptionFinder {
  private static final Logger LOG = LoggerFactory.getLogger(OptionFinder.class);

  private final CostModel costs;
  private final boolean counting;
  private final HRegion region;
  private final RegionIndexes indexes;
  private final RegionStatistics statistics;
  private final ScanPredicate question;
  private final Map<HStore, Optional<MemstoreIndex>> memstores = new IdentityHashMap<>();

  /**
   * @param counting whether columns tell all that is asked
   * @param statistics which know the memstores' indexes
   */
  OptionFinder(
      CostModel costs,
      boolean counting,
      HRegion region,
      RegionIndexes indexes,
      RegionStatistics statistics,
      ScanPredicate question) {
    this.costs = costs;
    this.counting = counting;
    this.region = region;
    this.indexes = indexes;
    this.statistics = statistics;
    this.question = question;
  }

  /**
   * All of them, as if the whole region were asked for.
   *
   * @param families that are selected
   */
  List<IndexOption> find(Collection<byte[]> families) {
    List<IndexOption> all = new ArrayList<>();
    for (IndexDefinition d : indexes.schema().indexes()) {
      boolean decided = counting || families.size() == 1;
      option(d, decided).ifPresent(all::add);
    }
    return all.stream().map(o -> o.isColumnar() ? o.narrowed(all, costs) : o).toList();
  }

  /**
   * @param decided whether a record can stand for all that is selected
   */
  private Optional<IndexOption> option(IndexDefinition d, boolean decided) {
    HStore store = region.getStore(d.column().family());
    if (store == null || store.getColumnFamilyDescriptor().isMobEnabled()) {
      return Optional.empty();
    }
    return question
        .keys(d)
        .map(
            ranges -> {
              MemstoreEstimate memstore =
                  MemstoreEstimate.of(store, memstoreIndex(store, d), d, ranges);
              return option(store, memstore, ranges, d, decided);
            });
  }

  /** Of a store, which is asked once; of what a clustering index drives, all is looked at. */
  private Optional<MemstoreIndex> memstoreIndex(HStore store, IndexDefinition driving) {
    return isColumnar(driving)
        ? memstores.computeIfAbsent(store, statistics::memstoreIndex)
        : Optional.empty();
  }

  private static boolean isColumnar(IndexDefinition index) {
    return index.local().layout() == Layout.COLUMNAR;
  }

  private IndexOption option(
      HStore store,
      MemstoreEstimate memstore,
      KeyRanges ranges,
      IndexDefinition d,
      boolean decided) {
    long records = memstore.found();
    long entries = memstore.writes();
    double complex = 0;
    double several = 0;
    long uncovered = memstore.uncovered();
    int covered = 0;
    int missing = 0;
    for (HStoreFile f : store.getStorefiles()) {
      IndexFile index =
          indexes.usable(f.getPath().getName(), d).filter(question::isCoveredBy).orElse(null);
      if (index == null) {
        missing++;
        uncovered += entries(f);
      } else {
        covered++;
        long inRange = inRange(store, index, ranges);
        records += inRange;
        entries += index.counts().entries();
        complex += question.secured() ? inRange : inRange * shareOfComplex(index);
        several += inRange * shareOfSeveral(index);
      }
    }
    if (!decided || !question.predicate().columns().stream().allMatch(c -> d.stores(c.name()))) {
      complex = records;
    }
    Estimate estimate = new Estimate(d.name(), records, covered, missing);
    double cost = costs.index(records, (long) complex, covered + missing, uncovered);
    double share = entries == 0 ? 0 : Math.min(1, (double) records / entries);
    return new IndexOption(
        d,
        estimate,
        entries,
        share,
        (long) complex,
        records == 0 ? 0 : several / records,
        uncovered,
        memstore.foundCells(),
        cost,
        cost);
  }

  /** Of a file that was dropped meanwhile, all. */
  private static long inRange(HStore store, IndexFile index, KeyRanges ranges) {
    if (!index.retain()) {
      return index.counts().entries();
    }
    try {
      return index.estimate(ranges, store.getCacheConfig(), SpyhopAccess.configuration(store));
    } finally {
      release(index);
    }
  }

  private static void release(IndexFile index) {
    try {
      index.release();
    } catch (IOException e) {
      LOG.warn("Releasing the index files {} failed; the sweep will delete them", index, e);
    }
  }

  /** The part of an index's records that cannot stand for their rows, as far as is known. */
  private double shareOfComplex(IndexFile index) {
    ColumnCounts counts = index.counts();
    double complex = (double) counts.complexEntries() / Math.max(1, counts.entries());
    return Math.min(1, complex + (isColumnar(index.definition()) ? 0 : shareOfSeveral(index)));
  }

  /** The part of its rows that other HFiles have, too, as far as is known. */
  private double shareOfSeveral(IndexFile index) {
    double rows = Math.max(1, index.counts().rows());
    return Math.min(1, indexes.pairs().of(index.hfile()).count() / rows);
  }

  private static long entries(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? 0 : reader.getEntries();
  }
}
